import { Select } from '@mantine/core';
import type { ServiceAccountsQuery } from '../../../gql/types';
import { useConnection } from '../../../lib/use-connection';
import { SERVICE_ACCOUNTS } from '../service-accounts/query';

interface Props {
  /** The id of a service account; null for the person who makes the token. */
  value: string | null;
  onChange: (value: string | null) => void;
}

const select = (data: ServiceAccountsQuery) => data.serviceAccounts;
const MYSELF = 'myself';

/** Whose a new token is. */
export function OwnerPicker({ value, onChange }: Props) {
  const { rows } = useConnection(SERVICE_ACCOUNTS, {}, select);
  const accounts = rows.filter(({ disabledAt }) => disabledAt === null).map(({ id, name }) => ({ value: id, label: name }));
  return (
    <Select
      label="Belongs to"
      description="Your own tokens count as you and never do more than you may. Service accounts are programs: they approve only where a rule names them."
      allowDeselect={false}
      searchable={accounts.length > 10}
      value={value ?? MYSELF}
      onChange={(chosen) => onChange(chosen === MYSELF ? null : chosen)}
      data={[{ group: 'People', items: [{ value: MYSELF, label: 'Me' }] }, { group: 'Service accounts', items: accounts }]}
    />
  );
}
