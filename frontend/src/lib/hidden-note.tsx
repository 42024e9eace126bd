import { InputWrapperContext, Text } from '@mantine/core';
import { use, useId, useMemo, type ReactNode } from 'react';
import { hiddenLines, type HiddenLine } from './hidden';
import classes from './hidden-note.module.css';
import { Pieces } from './plain';

const MOST_LINES = 5;

/** For the `inputContainer` of a field: what its text hides is named below it, and is part of the field's description. */
export const namesHidden = (text: unknown) => (input: ReactNode) => <NamesHidden text={typeof text === 'string' ? text : ''}>{input}</NamesHidden>;

function NamesHidden({ text, children }: { text: string; children: ReactNode }) {
  const field = use(InputWrapperContext);
  const note = useHiddenNote(text);
  const described = useMemo(() => ({ ...field, describedBy: [field.describedBy, note.id].filter(Boolean).join(' ') || undefined }), [field, note.id]);
  return (
    <InputWrapperContext value={described}>
      {children}
      {note.shown}
    </InputWrapperContext>
  );
}

/** What to show below something that is edited, and the id by which it is described; nothing of either where nothing is hidden. */
export function useHiddenNote(text: string): { id: string | undefined; shown: ReactNode } {
  const id = useId();
  const lines = useMemo(() => hiddenLines(text), [text]);
  if (lines.length === 0) return { id: undefined, shown: null };
  return { id, shown: <HiddenNote id={id} lines={lines} numbered={text.includes('\n')} /> };
}

function HiddenNote({ id, lines, numbered }: { id: string; lines: readonly HiddenLine[]; numbered: boolean }) {
  const hidden = lines.some(({ pieces }) => pieces.some(({ kind }) => kind === 'hidden'));
  return (
    <Text id={id} size="xs" component="div" className={classes.note}>
      {hidden ? 'Contains hidden characters:' : 'Contains letters that look like others:'}
      {lines.slice(0, MOST_LINES).map(({ line, pieces }) => (
        <div key={line}>
          {numbered && `Line ${line}: `}
          <Pieces of={pieces} />
        </div>
      ))}
      {lines.length > MOST_LINES && <div>and in {lines.length - MOST_LINES} more lines</div>}
    </Text>
  );
}
