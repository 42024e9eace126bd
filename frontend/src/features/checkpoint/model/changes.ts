import type { FieldDifference } from '../../../components/model/field-diff';

/** The API's changes for our table: it says null where nothing was or is. */
export function asDifferences(changes: readonly { readonly path: string; readonly before?: unknown; readonly after?: unknown }[]): FieldDifference[] {
  return changes.map(({ path, before, after }) => ({ path, before: before ?? undefined, after: after ?? undefined }));
}
