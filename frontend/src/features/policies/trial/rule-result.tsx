import { Badge, Code, Group, Text } from '@mantine/core';
import { IconCheck, IconX } from '@tabler/icons-react';
import { graphql } from '../../../gql/documents';
import type { PolicyRuleResultPartsFragment } from '../../../gql/types';
import { CodeText } from '../../../lib/code-text';
import { stringifyExact } from '../../../lib/exact-json';
import { Plain } from '../../../lib/plain';
import { sentence } from '../model/problems';
import classes from '../policies.module.css';

graphql(`
  fragment PolicyRuleResultParts on PolicyRuleResult {
    name
    priority
    enabled
    shadow
    matched
    applied
    blocked {
      message
    }
    conditions {
      condition
      field
      operator
      expected
      actual
      held
      note
    }
  }
`);

type Condition = PolicyRuleResultPartsFragment['conditions'][number];

/** One rule: whether it counts, and each of its conditions with what was found. */
export function RuleResult({ rule }: { rule: PolicyRuleResultPartsFragment }) {
  return (
    <div className={classes.rule} data-applied={rule.applied}>
      <div className={classes.ruleHead}>
        <Text size="sm" fw={600}>
          <Plain>{rule.name}</Plain>
        </Text>
        <Group gap={6}>
          {rule.shadow && <Badge color="gray">In the shadow</Badge>}
          {!rule.enabled && !rule.shadow && <Badge color="gray">Switched off</Badge>}
          <Badge color={rule.matched ? 'brand' : 'gray'}>{rule.matched ? 'Matches' : 'Does not match'}</Badge>
          {rule.applied && <Badge color="blue">Decides</Badge>}
        </Group>
      </div>
      {rule.blocked.map(({ message }) => (
        <Text key={message} size="sm" px={14} pb={8} c="orange">
          <CodeText>{sentence(message)}</CodeText>
        </Text>
      ))}
      <table className={classes.conditions}>
        <tbody>
          {rule.conditions.map((condition, index) => (
            // oxlint-disable-next-line react/no-array-index-key -- two conditions may say the same
            <Row key={index} condition={condition} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Row({ condition }: { condition: Condition }) {
  const { held, field, operator, expected, actual, note } = condition;
  return (
    <tr>
      <td>
        {held ? (
          <IconCheck size={16} color="var(--mantine-color-brand-6)" role="img" aria-label="holds" />
        ) : (
          <IconX size={16} color="var(--mantine-color-error)" role="img" aria-label="does not hold" />
        )}
      </td>
      <td>
        {field ?? condition.condition} {operator ?? 'is'} <Code>{short(expected)}</Code>
        <Text span inherit c="dimmed">
          {' '}
          — {actual === null || actual === undefined ? 'not there' : `found ${short(actual)}`}
          {note !== null && <>; <CodeText>{note}</CodeText></>}
        </Text>
      </td>
    </tr>
  );
}

function short(value: unknown): string {
  const text = typeof value === 'string' ? value : stringifyExact(value);
  return text.length > 120 ? `${text.slice(0, 120)}…` : text;
}
