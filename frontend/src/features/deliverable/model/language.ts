import type { Language } from '../../../components/code-editor/code-editor';

const BY_MIME: [RegExp, Language][] = [
  [/json/, 'json'],
  [/yaml/, 'yaml'],
  [/markdown/, 'markdown'],
  [/html|xml|svg/, 'html'],
  [/css/, 'css'],
  [/javascript|ecmascript|typescript/, 'javascript'],
];

const BY_NAME: [RegExp, Language][] = [
  [/\.(json|jsonl|ipynb)$/i, 'json'],
  [/\.ya?ml$/i, 'yaml'],
  [/\.(md|markdown)$/i, 'markdown'],
  [/\.(html?|xml|svg|vue)$/i, 'html'],
  [/\.(css|scss|less)$/i, 'css'],
  [/\.[cm]?[jt]sx?$/i, 'javascript'],
  [/\.(txt|log|text)$/i, 'text'],
];

/** How code is coloured: by its type, or by its name where the type says no more than that it is text. */
export function languageOf(mimeType: string, name: string): Language {
  const find = (choices: readonly [RegExp, Language][], text: string) => choices.find(([pattern]) => pattern.test(text))?.[1];
  return find(BY_MIME, mimeType.split(';')[0] ?? '') ?? find(BY_NAME, name) ?? 'code';
}

/** Whether a browser would show it as a page of its own. */
export const isPage = (mimeType: string): boolean => /^(text\/html|application\/xhtml\+xml)\b/.test(mimeType);
