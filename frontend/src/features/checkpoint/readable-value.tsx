import { Badge, Group, Text } from '@mantine/core';
import { JsonView } from '../../components/json-view';
import { KeyLabel, Plain } from '../../lib/plain';
import classes from './checkpoint.module.css';
import type { Column, Field, Readable } from './model/readable';

/** A value as people read it. */
export function ReadableValue({ shown, name }: { shown: Readable; name: string }) {
  switch (shown.kind) {
    case 'nothing':
      return (
        <Text span size="sm" c="dimmed">
          Nothing
        </Text>
      );
    case 'plain':
      return <Plain>{shown.text}</Plain>;
    case 'text':
      return (
        <span className={classes.text}>
          <Plain>{shown.text}</Plain>
          {shown.cut > 0 && (
            <Text span size="sm" c="dimmed">
              … ({shown.cut} more characters: see the JSON)
            </Text>
          )}
        </span>
      );
    case 'list':
      return (
        <Group gap={6}>
          {shown.values.map((value, index) => (
            // oxlint-disable-next-line react/no-array-index-key -- values may repeat, and never move
            <Badge key={index} color="gray" size="lg" fw={500} maw="100%">
              <Plain>{value}</Plain>
            </Badge>
          ))}
        </Group>
      );
    case 'table':
      return <SmallTable columns={shown.columns} rows={shown.rows} />;
    case 'fields':
      return <Fields fields={shown.fields} name={name} />;
    case 'json':
      return <JsonView value={shown.value} name={name} maxHeight={240} />;
  }
}

function Fields({ fields, name }: { fields: readonly Field[]; name: string }) {
  return (
    <table className={classes.fields}>
      <tbody>
        {fields.map(({ key, label, description, value }) => (
          <tr key={key}>
            <th scope="row">
              <KeyLabel name={key} label={label} />
              {description !== null && (
                <Text size="xs" c="dimmed" fw={400}>
                  <Plain>{description}</Plain>
                </Text>
              )}
            </th>
            <td>
              <ReadableValue shown={value} name={`${name}, ${label}`} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function SmallTable({ columns, rows }: { columns: readonly Column[]; rows: readonly (readonly string[])[] }) {
  return (
    <div className={classes.scroll}>
      <table className={classes.table}>
        <thead>
          <tr>
            {columns.map(({ key, label }) => (
              <th key={key} scope="col">
                <KeyLabel name={key} label={label} />
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, index) => (
            // oxlint-disable-next-line react/no-array-index-key -- rows may repeat, and never move
            <tr key={index}>
              {row.map((cell, place) => (
                <td key={columns[place]?.key}><Plain>{cell}</Plain></td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
