import type { AnalyticsQuery } from '../../../gql/types';
import { compactCount, count, credits, duration, percent } from '../../../lib/format';
import classes from '../analytics.module.css';

const orDash = <Value,>(value: Value | null, show: (value: Value) => string) => (value === null ? '–' : show(value));

/** The figures that people come for. */
export function Totals({ figures }: { figures: AnalyticsQuery['analytics'] }) {
  const { outcomes, timeToDecision, timeWaited } = figures.checkpoints.totals;
  const { executions, usage } = figures;
  const attempts = figures.agents.reduce((sum, agent) => sum + agent.attempts, 0);
  const errors = figures.agents.reduce((sum, agent) => sum + agent.errors, 0);
  return (
    <dl className={classes.totals}>
      <Total name="People were asked" value={count(outcomes.asked)} note={`${orDash(outcomes.approvalRate, percent)} approved`} />
      <Total name="Approved by rules" value={count(outcomes.autoApproved)} note={`${orDash(outcomes.autoApprovalRate, percent)} of all, ${count(outcomes.overridden)} overridden`} />
      <Total name="Time to decision" value={orDash(timeToDecision.p50, duration)} note={`P95 ${orDash(timeToDecision.p95, duration)}`} />
      <Total name="Time waited" value={orDash(timeWaited.p50, duration)} note={`P95 ${orDash(timeWaited.p95, duration)}`} />
      <Total name="Executions ended" value={count(executions.ended)} note={`median ${orDash(executions.duration.p50, duration)}`} />
      <Total name="Attempts that failed" value={attempts === 0 ? '–' : percent(errors / attempts)} note={`${count(errors)} of ${count(attempts)}`} />
      <Total name="Cost" value={`${credits(usage.totals.costMicros)} cr`} note={`${count(usage.totals.llmCalls)} calls`} />
      <Total name="Tokens" value={compactCount(usage.totals.tokens)} note="of language models" />
    </dl>
  );
}

function Total({ name, value, note }: { name: string; value: string; note: string }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{value}</dd>
      <dd className={classes.note}>{note}</dd>
    </div>
  );
}
