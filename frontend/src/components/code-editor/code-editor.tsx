import { Skeleton } from '@mantine/core';
import { lazy, Suspense } from 'react';
import type { Diagnostic } from './diagnostics';

/** `code` is for what has no grammar of its own here: its words, texts and comments are told apart, whatever the language. */
export type Language = 'json' | 'yaml' | 'markdown' | 'html' | 'css' | 'javascript' | 'code' | 'text';

export interface CodeEditorProps {
  value: string;
  /** Absent for what is only shown. */
  onChange?: (value: string) => void;
  language: Language;
  readOnly?: boolean;
  diagnostics?: readonly Diagnostic[];
  /** Names the editor for screen readers. */
  label: string;
  /** The id of what is said about it elsewhere. */
  describedBy?: string | undefined;
  minHeight?: number | string;
  maxHeight?: number | string;
  wrap?: boolean;
  /** In a dialog that is about this text: one can type at once. */
  focusFirst?: boolean;
}

const Editor = lazy(() => import('./code-editor-impl'));

/** CodeMirror, loaded when there is something to edit. Ctrl-F searches, arrows in the margin fold. */
export function CodeEditor(props: CodeEditorProps) {
  return (
    <Suspense fallback={<Skeleton height={props.minHeight ?? 160} radius="md" />}>
      {/* The language is part of what an editor is made of. */}
      <Editor key={`${props.language} ${String(props.wrap)}`} {...props} />
    </Suspense>
  );
}
