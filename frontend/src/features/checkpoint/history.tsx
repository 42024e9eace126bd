import { Anchor, Text, Timeline } from '@mantine/core';
import { Link } from 'react-router';
import { RelativeTime } from '../../components/relative-time';
import { CodeText } from '../../lib/code-text';
import { Plain } from '../../lib/plain';
import { tell, type Told } from './model/history';
import { Section } from './section';
import type { Checkpoint } from './use-checkpoint';

const COLORS: Record<Told['tone'], string> = { good: 'brand', bad: 'red', waits: 'yellow', plain: 'gray' };

/** What the execution has done so far. */
export function History({ checkpoint: { id, execution } }: { checkpoint: Checkpoint }) {
  const { nodes, pageInfo } = execution.events;
  const told = nodes.flatMap((event) => {
    const words = tell(event, id);
    return words ? [{ ...words, cursor: event.cursor, at: event.at }] : [];
  });
  return (
    <Section
      title="What happened so far"
      aside={
        <Anchor component={Link} to={`/executions/${execution.id}`} size="sm">
          Open the execution
        </Anchor>
      }
    >
      {pageInfo.hasPreviousPage && (
        <Text size="sm" c="dimmed" mb="xs">
          The latest only; the execution has the rest.
        </Text>
      )}
      <Timeline bulletSize={14} lineWidth={2} active={told.length} styles={{ itemTitle: { fontSize: 'var(--mantine-font-size-sm)' } }}>
        {told.map(({ cursor, at, title, detail, tone }) => (
          <Timeline.Item key={cursor} title={<Plain>{title}</Plain>} color={COLORS[tone]}>
            {detail !== null && (
              <Text size="sm" c="dimmed" lineClamp={4} style={{ overflowWrap: 'anywhere' }}>
                <CodeText>{detail}</CodeText>
              </Text>
            )}
            <Text size="xs" c="dimmed" component="div">
              <RelativeTime at={at} />
            </Text>
          </Timeline.Item>
        ))}
      </Timeline>
    </Section>
  );
}
