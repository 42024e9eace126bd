import { Anchor, Badge, Group } from '@mantine/core';
import { Link } from 'react-router';
import { Countdown } from '../../components/countdown';
import { PageHeader } from '../../components/page-header';
import { RelativeTime } from '../../components/relative-time';
import { RiskBadge } from '../../components/risk-badge';
import { StatusBadge } from '../../components/status-badge';
import { headlineOf } from '../../lib/headline';
import { Plain } from '../../lib/plain';
import { doerName } from './model/people';
import type { Checkpoint } from './use-checkpoint';

/** What is about to be done, where it comes from, and how long there is to decide. */
export function Head({ checkpoint }: { checkpoint: Checkpoint }) {
  const { status, riskLevel, test, workflow, execution, agent, stepKey, requestedAt, requestedBy, deadline, description, approvals, approvalsNeeded } = checkpoint;
  const asker = agent?.name ?? doerName(requestedBy);
  return (
    <PageHeader
      title={headlineOf(description).headline}
      back={{ to: '/inbox', label: 'Inbox' }}
      badges={
        <Group gap={6}>
          <StatusBadge of="checkpoint" status={status} />
          <RiskBadge level={riskLevel} />
          {status === 'PENDING' && approvalsNeeded > 1 && (
            <Badge color="gray">
              {approvals} of {approvalsNeeded} approved
            </Badge>
          )}
          {test && <Badge color="gray">Test</Badge>}
        </Group>
      }
    >
      <Group gap="2px 18px" mt={4}>
        <span>
          <Plain>{asker}</Plain> asked <RelativeTime at={requestedAt} />
        </span>
        <Anchor component={Link} to={`/executions/${execution.id}`} size="sm" underline="always">
          <Plain>{workflow ? `${workflow.name}${stepKey === null ? '' : `, ${stepKey}`}` : 'Request from outside'}</Plain>
        </Anchor>
        {status === 'PENDING' && deadline !== null && (
          <span>
            <Countdown until={deadline} />
          </span>
        )}
      </Group>
    </PageHeader>
  );
}
