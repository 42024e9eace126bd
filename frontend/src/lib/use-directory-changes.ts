import { graphql } from '../gql/documents';
import { useLive } from './use-live';

const CHANGES = graphql(`
  subscription DirectoryChanges($after: String) {
    directoryEvents(after: $after) {
      cursor
    }
  }
`);

/** Calls when anybody changed something about people, groups or the workspace. */
export function useDirectoryChanges(onChange: () => void): void {
  useLive(CHANGES, {}, { onEvent: onChange, onGap: onChange });
}
