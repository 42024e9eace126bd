import { Alert, List, Stack, Text, Title } from '@mantine/core';
import { IconArrowRight, IconCheck, IconUsers, IconX } from '@tabler/icons-react';
import { graphql } from '../../../gql/documents';
import type { PolicyOutcome } from '../../../gql/enums';
import type { PolicyEvaluationPartsFragment } from '../../../gql/types';
import { marksOf, sentence } from '../model/problems';
import { CodeText } from '../../../lib/code-text';
import { RequirementList } from './requirement-list';
import { RuleResult } from './rule-result';

graphql(`
  fragment PolicyEvaluationParts on PolicyEvaluation {
    outcome
    rule
    policyVersion
    emergencyStop
    problems {
      message
      path
      line
      column
    }
    reasons {
      message
    }
    requirement {
      ...ApprovalRequirementParts
    }
    checkpointRules {
      ...PolicyRuleResultParts
    }
    autoApprovalRules {
      ...PolicyRuleResultParts
    }
  }
`);

const OUTCOMES: Record<PolicyOutcome, { title: string; color: string; icon: typeof IconCheck }> = {
  ASK: { title: 'People are asked', color: 'yellow', icon: IconUsers },
  AUTO_APPROVE: { title: 'A rule approves', color: 'brand', icon: IconCheck },
  REFUSE: { title: 'The request is refused', color: 'red', icon: IconX },
  PROCEED: { title: 'It goes on by itself', color: 'blue', icon: IconArrowRight },
};

export function TrialResult({ result }: { result: PolicyEvaluationPartsFragment }) {
  if (result.outcome === null) {
    return (
      <Alert color="red" title="The draft has problems">
        <List size="sm">
          {marksOf('', result.problems).map(({ line, message }) => (
            <List.Item key={`${line} ${message}`}>
              Line {line}: <CodeText>{message}</CodeText>
            </List.Item>
          ))}
        </List>
      </Alert>
    );
  }
  const { title, color, icon: Icon } = OUTCOMES[result.outcome];
  return (
    <Stack gap="md" aria-live="polite">
      <Alert color={color} icon={<Icon size={22} />} title={result.rule === null ? title : `${title}: ${result.rule}`} data-testid="outcome">
        <Text size="sm" component="div">
          {result.reasons.map(({ message }) => (
            <div key={message}><CodeText>{sentence(message)}</CodeText></div>
          ))}
          {result.reasons.length === 0 && 'No rule has anything to say about it.'}
          {result.requirement && <RequirementList requirement={result.requirement} />}
        </Text>
      </Alert>
      <Rules title="Checkpoint rules, in the order in which they are looked at" rules={result.checkpointRules} />
      <Rules title="Auto-approval rules" rules={result.autoApprovalRules} />
    </Stack>
  );
}

function Rules({ title, rules }: { title: string; rules: PolicyEvaluationPartsFragment['checkpointRules'] }) {
  if (rules.length === 0) return null;
  return (
    <section aria-label={title}>
      <Title order={3} size="sm" mb={6}>
        {title}
      </Title>
      <Stack gap="xs">
        {rules.map((rule) => (
          <RuleResult key={rule.name} rule={rule} />
        ))}
      </Stack>
    </section>
  );
}
