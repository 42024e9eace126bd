import { Group, List, Text } from '@mantine/core';
import { IconAlertTriangle, IconEye } from '@tabler/icons-react';
import { RelativeTime } from '../../components/relative-time';
import type { AuditChainQuery } from '../../gql/types';
import { count } from '../../lib/format';

type Witness = NonNullable<AuditChainQuery['auditChain']>['witnesses'][number];

/** The places outside the database that have seen the signed head: which one, since when, and what went wrong since. */
export function Witnesses({ witnesses }: { witnesses: readonly Witness[] }) {
  return (
    <section aria-label="Witnesses">
      <List listStyleType="none" mt="md" spacing={4}>
        {witnesses.map((witness) => (
          <List.Item key={witness.place}>
            <Seen witness={witness} />
          </List.Item>
        ))}
      </List>
    </section>
  );
}

function Seen({ witness: { place, sequence, witnessedAt, failedAt, failure, failures } }: { witness: Witness }) {
  const Icon = failure === null ? IconEye : IconAlertTriangle;
  return (
    <Group gap="xs" wrap="nowrap" align="flex-start">
      <Icon size={16} aria-hidden style={{ flexShrink: 0, marginTop: 2 }} />
      <div style={{ minWidth: 0, overflowWrap: 'anywhere' }}>
        <Text size="xs">
          {place}:{' '}
          {sequence === null || witnessedAt === null ? (
            'has seen nothing yet'
          ) : (
            <>
              has seen the head {count(sequence)}, <RelativeTime at={witnessedAt} />
            </>
          )}
        </Text>
        {failure !== null && failedAt !== null && (
          <Text size="xs" c="red">
            Not reached {failures === 1 ? '' : `${count(failures)} times, last `}
            <RelativeTime at={failedAt} />: {failure}
          </Text>
        )}
      </div>
    </Group>
  );
}
