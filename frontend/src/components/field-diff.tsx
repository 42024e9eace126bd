import { Text } from '@mantine/core';
import { stringifyExact } from '../lib/exact-json';
import { Plain } from '../lib/plain';
import classes from './diff.module.css';
import { readablePath, type FieldDifference } from './model/field-diff';

/** Two values, field by field: what it was and what it will be. Use `fieldDifferences`, or the API's `FieldChange`s. */
export function FieldDiff({ changes, before = 'Before', after = 'After' }: { changes: readonly FieldDifference[]; before?: string; after?: string }) {
  if (changes.length === 0) {
    return (
      <Text size="sm" c="dimmed">
        Nothing differs.
      </Text>
    );
  }
  return (
    <div className={`${classes.scroll} ${classes.fieldsBox}`}>
      <table className={classes.fields}>
        <thead>
          <tr>
            <th scope="col">Field</th>
            <th scope="col">{before}</th>
            <th scope="col">{after}</th>
          </tr>
        </thead>
        <tbody>
          {changes.map((change) => (
            // What is gone from a list and what has come to its place have the same path.
            <tr key={`${change.path} ${change.before === undefined}`}>
              <th scope="row">
                <Plain isKey>{readablePath(change.path)}</Plain>
              </th>
              <td>
                <Value value={change.before} kind="removed" />
              </td>
              <td>
                <Value value={change.after} kind="added" />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Value({ value, kind }: { value: unknown; kind: 'added' | 'removed' }) {
  if (value === undefined) {
    return (
      <Text span size="sm" c="dimmed">
        not there
      </Text>
    );
  }
  const Tag = kind === 'added' ? 'ins' : 'del';
  return <Tag className={classes[kind]}><Plain>{typeof value === 'string' ? value : stringifyExact(value, 2)}</Plain></Tag>;
}
