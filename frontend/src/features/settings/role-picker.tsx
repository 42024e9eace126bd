import { Checkbox, Stack } from '@mantine/core';
import type { Role } from '../../gql/enums';
import { ROLES } from './model/roles';

/** What somebody, or a program, may do. */
export function RolePicker({ value, onChange, error }: { value: readonly Role[]; onChange: (roles: Role[]) => void; error?: string | undefined }) {
  return (
    <Checkbox.Group label="Roles" value={[...value]} onChange={(roles) => onChange(roles as Role[])} error={error} withAsterisk>
      <Stack gap="xs" mt={4}>
        {ROLES.map(({ role, label, may }) => (
          <Checkbox key={role} value={role} label={label} description={may} />
        ))}
      </Stack>
    </Checkbox.Group>
  );
}
