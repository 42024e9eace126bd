import { Button, NumberInput, Group, Stack, Text } from '@mantine/core';
import { IconBulb } from '@tabler/icons-react';
import { useState } from 'react';
import { useQuery } from 'urql';
import { EmptyState } from '../../../components/empty-state';
import { ErrorState } from '../../../components/error-state';
import { PageSkeleton } from '../../../components/page-skeleton';
import { graphql } from '../../../gql/documents';
import { toApiError } from '../../../lib/send-exchange';
import type { Draft } from '../use-draft';
import { Suggestion } from './suggestion';

const SUGGEST = graphql(`
  query SuggestPolicyRules($minimumCases: Int!) {
    suggestPolicyRules(minimumCases: $minimumCases) {
      ...PolicySuggestion
    }
  }
`);

/** Rules that people always follow. Looking through all decisions takes a while, so it is done when somebody asks. */
export function Suggestions({ draft, onAdded }: { draft: Draft; onAdded: () => void }) {
  const [least, setLeast] = useState(20);
  const [asked, setAsked] = useState<number | null>(null);
  const [{ data, error, fetching }, ask] = useQuery({ query: SUGGEST, variables: { minimumCases: asked ?? least }, pause: asked === null });
  const found = asked === null ? null : data?.suggestPolicyRules;
  return (
    <Stack gap="md">
      <Group align="flex-end" gap="sm">
        <NumberInput label="At least so many decisions" value={least} onChange={(value) => setLeast(Number(value) || 1)} min={1} max={10_000} w={230} />
        <Button leftSection={<IconBulb size={16} aria-hidden />} loading={fetching} onClick={() => (asked === least ? ask({ requestPolicy: 'network-only' }) : setAsked(least))}>
          Look for rules
        </Button>
      </Group>
      {asked === null && (
        <Text size="sm" c="dimmed">
          Looks through what people decided for what they always approve just as it was proposed. Nothing changes until you add a rule and save.
        </Text>
      )}
      {error && !found && <ErrorState error={toApiError(error)} onRetry={() => ask({ requestPolicy: 'network-only' })} />}
      {fetching && !found && <PageSkeleton />}
      {found && found.length === 0 && (
        <EmptyState title="Nothing stands out yet" icon={IconBulb}>
          People have not decided alike often enough. Ask for fewer decisions, or come back later.
        </EmptyState>
      )}
      {found?.map((suggestion) => <Suggestion key={suggestion.name} suggestion={suggestion} draft={draft} onAdded={onAdded} />)}
    </Stack>
  );
}
