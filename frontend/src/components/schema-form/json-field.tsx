import { useState } from 'react';
import { parseExact, stringifyExact } from '../../lib/exact-json';
import { visibleJson } from '../../lib/hidden';
import { useHiddenNote } from '../../lib/hidden-note';
import { CodeEditor } from '../code-editor/code-editor';
import { positionOf, type Diagnostic } from '../code-editor/diagnostics';
import { validate } from './validate';

interface Props {
  schema: unknown;
  value: unknown;
  onChange: (value: unknown) => void;
  /** What stands there is no JSON (any more). */
  onUnreadable: () => void;
  readOnly: boolean;
  label: string;
  focusFirst?: boolean;
}

/** What is hidden in a value stands there as an escape, which says the same. */
const written = (value: unknown): string => visibleJson(stringifyExact(value ?? {}, 2));

/** The value as text. While it is no JSON, the value stays what it was before. */
export function JsonField({ schema, value, onChange, onUnreadable, readOnly, label, focusFirst = false }: Props) {
  const [text, setText] = useState(() => written(value));
  const [syntax, setSyntax] = useState<Diagnostic[]>([]);
  // The value that the text stands for: when it is changed elsewhere, as by a form beside, the text follows.
  const [meant, setMeant] = useState(value);
  if (value !== meant) {
    setMeant(value);
    setText(written(value));
    setSyntax([]);
  }

  const note = useHiddenNote(text);

  function change(next: string) {
    setText(next);
    try {
      const parsed = parseExact(next);
      setSyntax([]);
      setMeant(parsed);
      onChange(parsed);
    } catch {
      setSyntax([{ line: 1, column: 1, message: 'This is not JSON yet.', severity: 'error' }]);
      onUnreadable();
    }
  }

  const problems = syntax.length > 0 ? syntax : validate(schema, value).map(({ path, message }) => ({ ...positionOf(text, path), message, severity: 'error' as const }));
  return (
    <div>
      <CodeEditor value={text} onChange={change} language="json" diagnostics={problems} readOnly={readOnly} label={label} describedBy={note.id} focusFirst={focusFirst} wrap />
      {note.shown}
    </div>
  );
}
