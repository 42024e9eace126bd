import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands';
import { css } from '@codemirror/lang-css';
import { html } from '@codemirror/lang-html';
import { javascript } from '@codemirror/lang-javascript';
import { json } from '@codemirror/lang-json';
import { markdown } from '@codemirror/lang-markdown';
import { yaml } from '@codemirror/lang-yaml';
import { bracketMatching, foldGutter, foldKeymap, indentOnInput } from '@codemirror/language';
import { lintGutter, lintKeymap, setDiagnostics, type Diagnostic as Mark } from '@codemirror/lint';
import { highlightSelectionMatches, search, searchKeymap } from '@codemirror/search';
import { Compartment, EditorState, type Extension, type Text } from '@codemirror/state';
import { EditorView, highlightActiveLine, highlightSpecialChars, keymap, lineNumbers } from '@codemirror/view';
import { useEffect, useEffectEvent, useRef } from 'react';
import { withoutMarks } from '../../lib/code-text';
import { codeOf, HIDDEN_IN_CODE } from '../../lib/hidden';
import { anyCode } from './any-code';
import type { CodeEditorProps, Language } from './code-editor';
import classes from './code-editor.module.css';
import type { Diagnostic } from './diagnostics';
import { theme } from './theme';

const LANGUAGES: Record<Language, () => Extension> = {
  json,
  yaml,
  markdown,
  html,
  css,
  javascript: () => javascript({ jsx: true, typescript: true }),
  code: anyCode,
  text: () => [],
};

/** What never changes while an editor lives. */
const BASE: Extension = [
  lineNumbers(),
  foldGutter(),
  lintGutter(),
  history(),
  indentOnInput(),
  bracketMatching(),
  highlightActiveLine(),
  highlightSelectionMatches(),
  highlightSpecialChars({ specialChars: HIDDEN_IN_CODE, render: nameOf }),
  search({ top: true }),
  // Tab indents, so that Escape then Tab leaves the editor, as CodeMirror's documentation asks.
  keymap.of([...defaultKeymap, ...searchKeymap, ...historyKeymap, ...foldKeymap, ...lintKeymap, indentWithTab]),
  theme,
];

export default function CodeEditorImpl(props: CodeEditorProps) {
  const { value, readOnly = false, describedBy, diagnostics, minHeight = 120, maxHeight = 520 } = props;
  const box = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView | null>(null);
  const editing = useRef(new Compartment());
  // What the editor has, so that nobody puts ten megabytes together to see that nothing differs.
  const shown = useRef(value);
  const changed = useEffectEvent((text: string) => {
    shown.current = text;
    props.onChange?.(text);
  });
  const create = useEffectEvent((parent: HTMLElement) => {
    const extensions = [
      BASE,
      LANGUAGES[props.language](),
      props.wrap ? EditorView.lineWrapping : [],
      editing.current.of([]),
      // The tab index says what is so anyway: axe does not know that editable content takes the focus.
      EditorView.contentAttributes.of({ 'aria-label': props.label, tabindex: '0', ...(props.focusFirst ? { 'data-autofocus': '' } : {}) }),
      EditorView.updateListener.of((update) => update.docChanged && changed(update.state.doc.toString())),
    ];
    return new EditorView({ parent, state: EditorState.create({ doc: value, extensions }) });
  });

  const wantsFocus = useEffectEvent(() => props.focusFirst ?? false);

  useEffect(() => {
    if (!box.current) return;
    const editor = create(box.current);
    view.current = editor;
    if (wantsFocus()) editor.focus();
    return () => {
      view.current = null;
      editor.destroy();
    };
  }, []);

  useEffect(() => {
    const mode = [EditorState.readOnly.of(readOnly), EditorView.contentAttributes.of({ 'aria-readonly': String(readOnly), ...(describedBy === undefined ? {} : { 'aria-describedby': describedBy }) })];
    view.current?.dispatch({ effects: editing.current.reconfigure(mode) });
  }, [readOnly, describedBy]);

  useEffect(() => {
    const editor = view.current;
    if (!editor || shown.current === value) return;
    editor.dispatch({ changes: { from: 0, to: editor.state.doc.length, insert: value } });
  }, [value]);

  useEffect(() => {
    const editor = view.current;
    if (!editor) return;
    editor.dispatch(setDiagnostics(editor.state, (diagnostics ?? []).map((one) => markOf(editor.state.doc, one))));
  }, [diagnostics]);

  return <div ref={box} className={classes.box} style={{ minHeight, maxHeight }} />;
}

/** From a line and a column to the end of that word, or of the line when there is none. */
function markOf(text: Text, { line, column = 1, message, severity = 'error' }: Diagnostic): Mark {
  const { from, to, text: content } = text.line(Math.min(Math.max(line, 1), text.lines));
  const start = Math.min(from + Math.max(column - 1, 0), to);
  const word = /^[\w"'$.-]+/.exec(content.slice(start - from))?.[0].length ?? 0;
  return { from: start, to: word > 0 ? start + word : to, severity, message: withoutMarks(message) };
}

/** What stands in the place of a character that cannot be seen. */
function nameOf(code: number): HTMLElement {
  const name = document.createElement('span');
  name.className = 'cm-specialChar';
  name.title = 'A character that is not seen';
  name.textContent = codeOf(String.fromCodePoint(code));
  return name;
}
