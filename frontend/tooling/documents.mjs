// The GraphQL documents of the console: every graphql(`…`) in src/, one named operation or fragment each.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Kind, parse, print, stripIgnoredCharacters, visit } from 'graphql';

// No `${…}` inside: a document is read before any code runs.
const CALL = /\bgraphql\(\s*`((?:[^`$]|\$(?!\{))*)`,?\s*\)/g;

/** @param {string} code */
export function documentsIn(code) {
  return [...code.matchAll(CALL)].map(([call, source = '']) => ({ call, source }));
}

/** Reads all documents of a folder. @param {string} folder */
export function readDocuments(folder) {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
    (file) => /\.tsx?$/.test(file) && !/\.test\.tsx?$/.test(file) && !/^gql\b/.test(file),
  );
  return files
    .toSorted()
    .flatMap((file) => documentsIn(readFileSync(join(folder, file), 'utf8')).map(({ source }) => describe(source, file)));
}

/** @param {string} source @param {string} file */
function describe(source, file) {
  const document = parse(source);
  const [definition, ...more] = document.definitions;
  if (!definition || more.length > 0 || !('name' in definition) || !definition.name) {
    throw new Error(`${file}: graphql() takes one operation or fragment, with a name`);
  }
  return { name: definition.name.value, source, file, document, definition };
}

/**
 * The document with all the fragments that it needs, as small as it gets.
 * @param {string} source @param {ReadonlyMap<string, string>} fragments by name
 */
export function complete(source, fragments) {
  const parts = new Map();
  /** @param {string} text */
  const add = (text) => {
    visit(parse(text), {
      FragmentSpread({ name: { value: name } }) {
        const fragment = fragments.get(name);
        if (fragment === undefined) throw new Error(`there is no fragment ${name}`);
        if (parts.has(name)) return;
        parts.set(name, fragment);
        add(fragment);
      },
    });
  };
  add(source);
  return stripIgnoredCharacters([source, ...parts.values()].map((text) => print(parse(text))).join('\n'));
}

/** @param {ReturnType<typeof readDocuments>} documents */
export function fragmentsByName(documents) {
  const fragments = documents.filter(({ definition }) => definition.kind === Kind.FRAGMENT_DEFINITION);
  return new Map(fragments.map(({ name, source }) => [name, source]));
}
