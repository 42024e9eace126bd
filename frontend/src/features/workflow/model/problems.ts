import { pointerParts, positionOf, type Diagnostic } from '../../../components/code-editor/diagnostics';

export interface DocumentProblem {
  readonly path: string;
  readonly code: string;
  readonly message: string;
  readonly fields?: readonly string[];
}

/** Where each problem is in the text. What the server could not even read, it says by line and column. */
export function marksOf(text: string, problems: readonly DocumentProblem[]): Required<Diagnostic>[] {
  return problems.map(({ path, code, message, fields = [] }) => {
    const place = code === 'SYNTAX' ? syntaxPlace(message) : positionOf(text, pointerParts(path));
    const more = fields.length > 0 ? ` (map by hand: ${fields.join(', ')})` : '';
    return { ...place, message: `${capitalised(message)}${more}`, severity: 'error' };
  });
}

function syntaxPlace(message: string): { line: number; column: number } {
  const [, line = '1', column = '1'] = /line (\d+), column (\d+)/.exec(message) ?? [];
  return { line: Number(line), column: Number(column) };
}

function capitalised(message: string): string {
  return message.charAt(0).toUpperCase() + message.slice(1);
}
