import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { generate } from './codegen.mjs';
import { complete, documentsIn, fragmentsByName, readDocuments } from './documents.mjs';

const SRC = fileURLToPath(new URL('../src', import.meta.url));

/**
 * Puts into every graphql(`…`) the fragments that it spreads, so that each document travels with the page that uses it: the
 * usual registry of all documents would be part of the first load.
 * @returns {import('vite').Plugin}
 */
export function graphqlDocuments() {
  let fragments = new Map();
  const read = () => {
    fragments = fragmentsByName(readDocuments(SRC));
  };

  return {
    name: 'countersign:graphql-documents',
    buildStart: read,
    async handleHotUpdate({ file, server }) {
      if (!file.startsWith(SRC) || file.startsWith(join(SRC, 'gql'))) return;
      read();
      // A document that is half typed is no reason to stop; the terminal tells what is wrong with it.
      await generate().catch((error) => server.config.logger.error(`codegen: ${error.message}`));
    },
    transform(code, id) {
      if (!id.startsWith(SRC) || !/\.tsx?(\?|$)/.test(id) || id.startsWith(join(SRC, 'gql'))) return null;
      const documents = documentsIn(code);
      if (documents.length === 0) return null;
      const replaced = documents.reduce(
        (text, { call, source }) => text.replace(call, () => `graphql(${JSON.stringify(complete(source, fragments))})`),
        code,
      );
      return { code: replaced, map: null };
    },
  };
}
