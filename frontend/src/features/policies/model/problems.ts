import { pointerParts, positionOf, type Diagnostic } from '../../../components/code-editor/diagnostics';

export interface Problem {
  readonly message: string;
  readonly path: string;
  readonly line: number | null;
  readonly column: number | null;
}

/** What is wrong with a policy, as marks in its text. */
export function marksOf(document: string, problems: readonly Problem[], severity: 'error' | 'warning' = 'error'): Diagnostic[] {
  return problems.map(({ message, path, line, column }) => {
    const place = line === null ? positionOf(document, pointerParts(path)) : { line, column: column ?? 1 };
    return { ...place, message: sentence(message), severity };
  });
}

export function sentence(message: string): string {
  const text = message.charAt(0).toUpperCase() + message.slice(1);
  return /[.!?…]$/.test(text) ? text : `${text}.`;
}
