import { Text } from '@mantine/core';
import { errorId, type FieldErrorProps } from '@rjsf/utils';

/** What is wrong with a list or an object as a whole. The fields in them say it themselves. */
export function GroupErrors({ errors, fieldPathId, schema }: FieldErrorProps) {
  if (!errors?.length || (schema.type !== 'array' && schema.type !== 'object')) return null;
  return (
    <Text id={errorId(fieldPathId)} size="xs" c="var(--mantine-color-error)" mb="xs">
      {errors.map(String).join(' ')}
    </Text>
  );
}
