import { graphql } from '../gql/documents';
import { useLive } from './use-live';

const CHANGES = graphql(`
  subscription LibraryChanges($after: String) {
    libraryEvents(after: $after) {
      cursor
      agent {
        id
      }
      workflow {
        id
      }
    }
  }
`);

/** Calls when anybody changed an agent or a workflow: any of the kind, or only the one with the id. */
export function useLibraryChanges(kind: 'agent' | 'workflow', onChange: () => void, id?: string): void {
  useLive(CHANGES, {}, {
    onEvent: ({ libraryEvents: event }) => {
      const changed = event[kind]?.id;
      if (changed !== undefined && (id === undefined || changed === id)) onChange();
    },
    onGap: onChange,
  });
}
