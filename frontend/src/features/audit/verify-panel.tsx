import { Button, Card, Group, Progress, Text, ThemeIcon } from '@mantine/core';
import { IconFingerprint } from '@tabler/icons-react';
import { useQuery } from 'urql';
import { CopyButton } from '../../components/copy-button';
import { RelativeTime } from '../../components/relative-time';
import { graphql } from '../../gql/documents';
import { count } from '../../lib/format';
import { useLive } from '../../lib/use-live';
import { useRefresh } from '../../lib/use-refresh';
import { canHash } from './model/hashes';
import { useVerification } from './use-verification';
import { NotSigned } from './not-signed';
import { Verdict } from './verdict';
import { Witnesses } from './witnesses';

const CHAIN = graphql(`
  query AuditChain {
    workspace {
      id
    }
    auditChain {
      sequence
      hash
      publicKey
      refusedBecause
      signature {
        at
        sequence
      }
      witnesses {
        place
        sequence
        witnessedAt
        failedAt
        failure
        failures
      }
    }
  }
`);

const GROWTH = graphql(`
  subscription AuditChainGrowth($after: String) {
    auditEvents(after: $after) {
      cursor
    }
  }
`);

/** Where the chain ends, and a check of all of it in this browser, which need not believe the server. */
export function VerifyPanel() {
  const [{ data }, ask] = useQuery({ query: CHAIN });
  const refresh = useRefresh(ask, 300);
  useLive(GROWTH, {}, { onEvent: refresh, onGap: refresh });
  const verification = useVerification(data?.workspace.id ?? null);
  const chain = data?.auditChain;
  const head = chain ? `${chain.sequence}:${chain.hash}` : '';
  const running = verification.done !== null;
  return (
    <Card mb="md" component="section" aria-label="Proof">
      <Group justify="space-between" gap="md">
        <Group gap="md" wrap="nowrap" flex="1 1 280px">
          <ThemeIcon variant="light" size={40} radius="xl" aria-hidden>
            <IconFingerprint size={22} />
          </ThemeIcon>
          <div style={{ minWidth: 0 }}>
            <Text fw={600}>A chain of {chain ? count(chain.sequence) : '…'} entries</Text>
            <Group gap={4} wrap="nowrap">
              <Text size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
                {chain ? `Head ${chain.sequence}:${chain.hash.slice(0, 12)}…` : ' '}
                {chain?.signature && (
                  <>
                    {' '}· signed up to {chain.signature.sequence}, <RelativeTime at={chain.signature.at} />
                  </>
                )}
              </Text>
              {chain && <CopyButton value={head} what="the head, to keep it elsewhere" />}
            </Group>
          </div>
        </Group>
        {running ? (
          <Button variant="default" onClick={verification.cancel}>
            Cancel
          </Button>
        ) : (
          <Button onClick={() => void verification.start()} disabled={!canHash() || !data}>
            Verify the log
          </Button>
        )}
      </Group>
      {chain?.refusedBecause && <NotSigned because={chain.refusedBecause} />}
      {chain && chain.witnesses.length > 0 && <Witnesses witnesses={chain.witnesses} />}
      {!canHash() && (
        <Text size="xs" c="dimmed" mt="xs">
          Browsers check hashes only on pages that came over HTTPS. Use <code>countersign audit verify</code>.
        </Text>
      )}
      {running && chain && (
        <div role="status">
          <Progress value={(verification.done ?? 0) / Math.max(chain.sequence, 1) * 100} mt="md" aria-label="Verification" />
          <Text size="xs" c="dimmed" mt={4}>
            {count(verification.done ?? 0)} of {count(chain.sequence)} entries
          </Text>
        </div>
      )}
      {!running && <Verdict outcome={verification.outcome} />}
    </Card>
  );
}
