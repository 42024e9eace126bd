import { useMemo } from 'react';
import { CodeEditor } from '../../../components/code-editor/code-editor';
import { JsonView } from '../../../components/json-view';
import { parseExact } from '../../../lib/exact-json';

/** JSON that is all there is folded and laid out; the beginning of one is shown as it is. */
export function Json({ text, whole, name }: { text: string; whole: boolean; name: string }) {
  const parsed = useMemo(() => (whole ? read(text) : null), [text, whole]);
  if (parsed) return <JsonView value={parsed.value} name={name} maxHeight={640} />;
  return <CodeEditor value={text} language="json" readOnly wrap label={name} maxHeight="72vh" />;
}

function read(text: string): { value: unknown } | null {
  try {
    return { value: parseExact(text) };
  } catch {
    return null;
  }
}
