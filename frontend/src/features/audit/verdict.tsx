import { Alert, Text } from '@mantine/core';
import { IconAlertOctagon, IconShieldCheck } from '@tabler/icons-react';
import { ErrorState } from '../../components/error-state';
import { count } from '../../lib/format';
import type { Outcome } from './use-verification';

/** What the check found. */
export function Verdict({ outcome }: { outcome: Outcome }) {
  if (outcome === null) return null;
  if (outcome.kind === 'failed') return <ErrorState error={outcome.error} title="The log could not be checked" />;
  if (outcome.kind === 'broken') {
    const { sequence, fault, message } = outcome.broken;
    return (
      <Alert color="red" variant="filled" icon={<IconAlertOctagon size={22} />} title={`Broken: entry ${sequence} was ${fault}`} mt="md" role="alert">
        <Text size="sm">{message.charAt(0).toUpperCase() + message.slice(1)}. Keep the database as it is, export the log and tell whoever is responsible for security.</Text>
      </Alert>
    );
  }
  const { report, since } = outcome;
  return (
    <Alert color="brand" icon={<IconShieldCheck size={22} />} title={`Sound: ${count(report.entries)} entries, ${report.signatures === 1 ? 'one signature' : `${count(report.signatures)} signatures`}`} mt="md" role="status">
      <Text size="sm" component="div">
        Checked in this browser. {report.signed > 0 ? `Signed up to entry ${count(report.signed)}.` : 'Nothing is signed yet.'}{' '}
        {report.erased > 0 && `${count(report.erased)} personal values were erased, each on record. `}
        {since === null ? 'The head is remembered here for the next check.' : `Entry ${count(since)}, the head of the last check, is still there unchanged.`}
        {!report.signaturesChecked && ' This browser cannot check the signatures themselves; use countersign audit verify for that.'}
      </Text>
    </Alert>
  );
}
