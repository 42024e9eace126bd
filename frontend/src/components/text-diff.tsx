import { Text } from '@mantine/core';
import { useMemo } from 'react';
import { Plain } from '../lib/plain';
import classes from './diff.module.css';
import { diffLines, unifiedLines, type DiffLine } from './model/text-diff';

type Props = { before: string; after: string; label: string } | { unified: string; label: string };

const SIGNS: Record<DiffLine['kind'], string> = { added: '+', removed: '−', same: ' ', gap: '⋯' };
const WORDS: Record<DiffLine['kind'], string> = { added: 'added', removed: 'removed', same: '', gap: 'unchanged lines left out' };

/** A text and what became of it, line by line: of two texts, or of a unified diff as the API makes it. */
export function TextDiff(props: Props) {
  const lines = useMemo(
    () => ('unified' in props ? unifiedLines(props.unified) : diffLines(props.before, props.after)),
    [props],
  );
  if (lines.length === 0) {
    return (
      <Text size="sm" c="dimmed">
        The two are the same.
      </Text>
    );
  }
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls has to be within reach of the keyboard
    <div className={classes.scroll} role="region" aria-label={props.label} tabIndex={0}>
      <table className={classes.lines}>
        <tbody>
          {lines.map((line) => (
            <tr key={line.key} data-kind={line.kind}>
              <td className={classes.number}>{line.before}</td>
              <td className={classes.number}>{line.after}</td>
              <td className={classes.sign}>
                <span aria-hidden>{SIGNS[line.kind]}</span>
                <span className={classes.spoken}>{WORDS[line.kind]}</span>
              </td>
              <td className={classes.text}><Plain>{line.text}</Plain></td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
