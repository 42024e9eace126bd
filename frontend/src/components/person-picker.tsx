import { useQuery } from 'urql';
import { graphql } from '../gql/documents';
import type { Role } from '../gql/enums';
import { useDirectoryChanges } from '../lib/use-directory-changes';
import { useRefresh } from '../lib/use-refresh';
import { SearchSelect, useSearch, type ChoiceProps } from './search-select';

const PEOPLE = graphql(`
  query PeopleChoices($filter: UserFilter) {
    users(first: 20, filter: $filter, orderBy: { field: DISPLAY_NAME, direction: ASC }) {
      nodes {
        id
        displayName
        email
      }
      pageInfo {
        hasNextPage
      }
    }
  }
`);

interface Props extends ChoiceProps {
  label: string;
  /** Only people with this role. */
  among?: Role;
  /** Also those who are locked out: what they did is still there to be found. */
  lockedOutToo?: boolean;
  /** Somebody who cannot be chosen. */
  except?: string | undefined;
  /** The label is for screen readers alone: there is no room for it. */
  compact?: boolean;
}

/** Somebody of the workspace, found by name or address. */
export function PersonPicker({ label, among, lockedOutToo = false, compact = false, ...props }: Props) {
  const search = useSearch(props.value);
  const filter = { ...(lockedOutToo ? {} : { disabled: false }), ...(among ? { role: among } : {}), ...(search.wanted === null ? {} : { text: search.wanted }) };
  const [{ data, fetching }, ask] = useQuery({ query: PEOPLE, variables: { filter } });
  const refresh = useRefresh(ask, 300);
  useDirectoryChanges(() => {
    refresh();
    search.refresh();
  });
  return (
    <SearchSelect
      {...(compact ? { 'aria-label': label } : { label })}
      placeholder="Search by name or address"
      nothingFoundMessage="Nobody found"
      {...props}
      search={search}
      found={data?.users}
      looking={fetching}
    />
  );
}
