import { Anchor, Badge, Card, Group, Stack, Table, Text, Title } from '@mantine/core';
import { Link } from 'react-router';
import { graphql } from '../../../gql/documents';
import type { BacktestCasePartsFragment } from '../../../gql/types';
import { count, words } from '../../../lib/format';
import { headlineOf } from '../../../lib/headline';
import { OUTCOME_WORDS, VERDICT_LOOKS } from './words';

graphql(`
  fragment BacktestCaseParts on BacktestCase {
    actual
    outcome
    rule
    verdict
    checkpoint {
      id
      description
    }
  }
`);

/** The proposals for which something else would have happened, those that contradict people first. */
export function BacktestCases({ cases, total }: { cases: readonly BacktestCasePartsFragment[]; total: number }) {
  return (
    <Card padding={0}>
      <Stack gap={0} p="md" pb="xs">
        <Title order={3}>What would be different</Title>
        <Text size="sm" c="dimmed">
          {total === 0 && 'Nothing: every proposal would have gone the same way.'}
          {total > 0 && (total > cases.length ? `The first ${count(cases.length)} of ${count(total)}` : `${count(total)}, those that contradict people first`)}
        </Text>
      </Stack>
      {cases.length > 0 && (
        <Table.ScrollContainer minWidth={620} mah={520} scrollAreaProps={{ viewportProps: { tabIndex: 0, role: 'region', 'aria-label': 'Cases' } }}>
          <Table verticalSpacing="xs" horizontalSpacing="md">
            <Table.Thead>
              <Table.Tr>
                <Table.Th>Proposal</Table.Th>
                <Table.Th>It was</Table.Th>
                <Table.Th>It would be</Table.Th>
                <Table.Th>Verdict</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {cases.map((one) => (
                <Case key={one.checkpoint.id} one={one} />
              ))}
            </Table.Tbody>
          </Table>
        </Table.ScrollContainer>
      )}
    </Card>
  );
}

function Case({ one }: { one: BacktestCasePartsFragment }) {
  const { label, color } = VERDICT_LOOKS[one.verdict];
  return (
    <Table.Tr>
      <Table.Td>
        <Anchor component={Link} to={`/checkpoints/${one.checkpoint.id}`} size="sm">
          {headlineOf(one.checkpoint.description).headline}
        </Anchor>
      </Table.Td>
      <Table.Td>{words(one.actual)}</Table.Td>
      <Table.Td>
        {OUTCOME_WORDS[one.outcome]}
        {one.rule !== null && (
          <Text size="xs" c="dimmed">
            {one.rule}
          </Text>
        )}
      </Table.Td>
      <Table.Td>
        <Group>
          <Badge color={color}>{label}</Badge>
        </Group>
      </Table.Td>
    </Table.Tr>
  );
}
