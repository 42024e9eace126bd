import { Checkbox, Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Role } from '../../gql/enums';
import { ROLES } from './model/roles';

interface Props {
  value: readonly Role[];
  onChange: (roles: Role[]) => void;
  error?: ReactNode;
  /** In a dialog that is about roles alone. */
  focusFirst?: boolean;
}

/** What somebody, or a program, may do. */
export function RolePicker({ value, onChange, error, focusFirst = false }: Props) {
  return (
    <Checkbox.Group label="Roles" value={[...value]} onChange={(roles) => onChange(roles as Role[])} error={error} withAsterisk>
      <Stack gap="xs" mt={4}>
        {ROLES.map(({ role, label, may }, index) => (
          <Checkbox key={role} value={role} label={label} description={may} data-autofocus={(focusFirst && index === 0) || undefined} />
        ))}
      </Stack>
    </Checkbox.Group>
  );
}
