import { HighlightStyle, syntaxHighlighting } from '@codemirror/language';
import { EditorView } from '@codemirror/view';
import { tags } from '@lezer/highlight';

/** The page's own colours, which change with its theme by themselves. */
const look = EditorView.theme({
  '&': { fontSize: '13px', color: 'var(--mantine-color-text)', backgroundColor: 'var(--app-surface)' },
  '&.cm-focused': { outline: '2px solid var(--mantine-primary-color-filled)', outlineOffset: '-1px' },
  '.cm-scroller': { fontFamily: 'var(--mantine-font-family-monospace)', lineHeight: '1.55' },
  '.cm-content': { padding: '10px 0', caretColor: 'var(--mantine-color-text)' },
  '.cm-gutters': { backgroundColor: 'transparent', color: 'var(--mantine-color-dimmed)', border: 'none' },
  '.cm-activeLine, .cm-activeLineGutter': { backgroundColor: 'light-dark(rgb(0 0 0 / 3%), rgb(255 255 255 / 4%))' },
  '.cm-selectionBackground, &.cm-focused .cm-selectionBackground': { backgroundColor: 'light-dark(#cfe6dc, #24483d) !important' },
  '.cm-foldPlaceholder': { backgroundColor: 'var(--mantine-color-gray-light)', border: 'none', color: 'var(--mantine-color-gray-light-color)', padding: '0 6px' },
  '.cm-panels': { backgroundColor: 'var(--app-page)', color: 'inherit', borderColor: 'var(--app-line)' },
  '.cm-panel input, .cm-panel button': { font: 'inherit', color: 'inherit', background: 'var(--app-surface)', backgroundImage: 'none', border: '1px solid var(--app-line)', borderRadius: '4px', padding: '2px 6px' },
  '.cm-tooltip': { backgroundColor: 'var(--app-surface)', color: 'inherit', border: '1px solid var(--app-line)', borderRadius: '6px' },
  '.cm-specialChar': { margin: '0 2px', padding: '0 3px', border: '1px solid var(--mantine-color-red-outline)', borderRadius: '4px', color: 'var(--mantine-color-red-light-color)', fontSize: '0.85em', unicodeBidi: 'isolate' },
  '.cm-searchMatch': { backgroundColor: 'light-dark(#ebd27c, #5b4509)' },
});

const colours = HighlightStyle.define([
  { tag: [tags.propertyName, tags.definition(tags.propertyName)], color: 'light-dark(#1f568f, #82b2e1)' },
  { tag: [tags.string, tags.special(tags.string)], color: 'light-dark(#185a4a, #89c4ad)' },
  { tag: [tags.number, tags.bool, tags.null, tags.keyword], color: 'light-dark(#96490d, #eda35e)' },
  { tag: [tags.comment, tags.meta], color: 'var(--mantine-color-dimmed)', fontStyle: 'italic' },
  { tag: [tags.tagName, tags.typeName, tags.className], color: 'light-dark(#1f568f, #82b2e1)' },
  { tag: tags.heading, fontWeight: '650' },
  { tag: tags.link, textDecoration: 'underline' },
  { tag: tags.invalid, color: 'var(--mantine-color-error)' },
]);

export const theme = [look, syntaxHighlighting(colours)];
