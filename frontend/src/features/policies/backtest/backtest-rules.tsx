import { Card, Table, Title } from '@mantine/core';
import { graphql } from '../../../gql/documents';
import type { BacktestRulePartsFragment } from '../../../gql/types';
import { count } from '../../../lib/format';
import { OUTCOME_WORDS } from './words';

graphql(`
  fragment BacktestRuleParts on BacktestRule {
    name
    outcome
    proposals
    agreed
    contradicted
  }
`);

export function BacktestRules({ rules }: { rules: readonly BacktestRulePartsFragment[] }) {
  return (
    <Card padding={0}>
      <Title order={3} p="md" pb="xs">
        By rule
      </Title>
      <Table.ScrollContainer minWidth={520} scrollAreaProps={{ viewportProps: { tabIndex: 0, role: 'region', 'aria-label': 'Rules' } }}>
        <Table verticalSpacing="xs" horizontalSpacing="md">
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Rule</Table.Th>
              <Table.Th>What it would do</Table.Th>
              <Table.Th ta="right">Proposals</Table.Th>
              <Table.Th ta="right">People agreed</Table.Th>
              <Table.Th ta="right">Contradicts</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {rules.map((rule) => (
              <Table.Tr key={`${rule.name} ${rule.outcome}`}>
                <Table.Td fw={600}>{rule.name ?? 'No rule'}</Table.Td>
                <Table.Td>{OUTCOME_WORDS[rule.outcome]}</Table.Td>
                <Table.Td ta="right">{count(rule.proposals)}</Table.Td>
                <Table.Td ta="right">{count(rule.agreed)}</Table.Td>
                <Table.Td ta="right">{count(rule.contradicted)}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
    </Card>
  );
}
