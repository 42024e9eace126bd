import { Select } from '@mantine/core';
import { useQuery } from 'urql';
import { graphql } from '../../../gql/documents';
import { trialOf, type Trial } from '../model/trial';

const RECENT = graphql(`
  query RecentProposals {
    checkpoints(first: 20, orderBy: { field: AGE, direction: DESC }) {
      nodes {
        id
        description
        operationType
        riskLevel
        proposal {
          parameters
          confidence
        }
      }
    }
  }
`);

/** Something that was really proposed, to begin from. */
export function RecentProposals({ onChoose }: { onChoose: (trial: Trial) => void }) {
  const [{ data }] = useQuery({ query: RECENT });
  const nodes = data?.checkpoints.nodes ?? [];
  if (nodes.length === 0) return null;
  return (
    <Select
      label="Begin from a recent proposal"
      placeholder="Choose one, or write below"
      searchable
      value={null}
      data={nodes.map(({ id, description }) => ({ value: id, label: description }))}
      onChange={(id) => {
        const chosen = nodes.find((node) => node.id === id);
        if (chosen) onChoose(trialOf(chosen));
      }}
    />
  );
}
