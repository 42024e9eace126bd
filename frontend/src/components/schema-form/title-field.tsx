import { Text } from '@mantine/core';
import { titleId, type ArrayFieldTitleProps, type TitleFieldProps } from '@rjsf/utils';

/** The name of a group of fields. Not a heading: the form cannot know at which level of the page it stands. */
export function TitleField({ id, title }: TitleFieldProps) {
  return (
    <Text id={id} fw={600} size="sm">
      {title}
    </Text>
  );
}

export function ArrayTitle({ fieldPathId, title }: ArrayFieldTitleProps) {
  if (title === undefined || title === '') return null;
  return (
    <Text id={titleId(fieldPathId)} fw={600} size="sm">
      {title}
    </Text>
  );
}
