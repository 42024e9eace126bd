import { Fieldset, Stack, TagsInput, Text } from '@mantine/core';
import { LIMITS, type Limits } from '../model/restrictions';

/** What a token may do only. An empty field does not restrict. */
export function RestrictionFields({ value, onChange }: { value: Limits; onChange: (value: Limits) => void }) {
  return (
    <Fieldset legend="Only for">
      <Stack gap="xs">
        <Text size="xs" c="dimmed">
          What is left empty is not restricted. Type a name and press Enter.
        </Text>
        {LIMITS.map(({ field, label }) => (
          <TagsInput key={field} label={label} size="xs" acceptValueOnBlur value={value[field]} onChange={(names) => onChange({ ...value, [field]: names })} />
        ))}
      </Stack>
    </Fieldset>
  );
}
