import { List } from '@mantine/core';
import { graphql } from '../../../gql/documents';
import type { ApprovalRequirementPartsFragment } from '../../../gql/types';
import { sentencesOf } from '../model/requirement';

graphql(`
  fragment ApprovalRequirementParts on ApprovalRequirement {
    rule
    seats {
      count
      who
    }
    groups
    users
    roles
    exclude
    separationOfDuties
    timeoutSeconds
    onTimeout
    escalateAfterSeconds
    escalateTo
    reminderSeconds
    channels
    recipients
  }
`);

/** Who would have to approve, and what happens if nobody does. */
export function RequirementList({ requirement }: { requirement: ApprovalRequirementPartsFragment }) {
  return (
    <List size="sm" mt="xs">
      {sentencesOf(requirement).map((line) => (
        <List.Item key={line}>{line}.</List.Item>
      ))}
    </List>
  );
}
