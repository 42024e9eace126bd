// Writes src/gql/: the types of all documents, checked against the server's schema. Run by `npm run codegen`, which every other
// script runs first; nothing of it is committed, so it is never out of date.

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { plugin as operationTypes } from '@graphql-codegen/typescript-operations';
import { buildSchema, concatAST, isAbstractType, isEnumType, isObjectType, Kind, validate } from 'graphql';
import { readDocuments } from './documents.mjs';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const SCALARS = { ID: 'string', DateTime: 'string', JSON: 'unknown' };
const HEADER = '// Written by `npm run codegen` from schema.graphql and the documents in src/. Do not edit.\n';

export async function generate() {
  const schema = buildSchema(readFileSync(join(ROOT, '../schema.graphql'), 'utf8'));
  const documents = readDocuments(join(ROOT, 'src'));
  check(schema, documents);
  write('types.ts', await typesOf(schema, documents));
  write('enums.ts', enumsOf(schema));
  write('documents.ts', overloadsOf(documents));
  write('schema.ts', cacheFactsOf(schema));
}

function check(schema, documents) {
  const twice = documents.find(({ name }, index) => documents.findIndex((other) => other.name === name) !== index);
  if (twice) throw new Error(`${twice.file}: there are two documents with the name ${twice.name}`);
  const errors = validate(schema, concatAST(documents.map(({ document }) => document)));
  // Fragments that only tests or other branches spread are no fault of the document's.
  const real = errors.filter(({ message }) => !/^Fragment ".*" is never used\.$/.test(message));
  if (real.length === 0) return;
  const lines = real.map((error) => `  ${fileOf(error, documents)}${error.message}`);
  throw new Error(`documents that do not fit schema.graphql:\n${lines.join('\n')}`);
}

function fileOf(error, documents) {
  const body = error.source?.body;
  const document = documents.find(({ source }) => source === body);
  return document ? `${document.file} (${document.name}): ` : '';
}

async function typesOf(schema, documents) {
  const options = { scalars: SCALARS, strictScalars: true, enumType: 'string-literal', immutableTypes: true };
  const output = await operationTypes(
    schema,
    documents.map(({ document, file }) => ({ document, location: file })),
    options,
    { outputFile: 'types.ts' },
  );
  return [...(output.prepend ?? []), output.content].join('\n');
}

/** All of them, because shared components show states of whichever document was asked for. */
function enumsOf(schema) {
  const enums = Object.values(schema.getTypeMap()).filter((type) => isEnumType(type) && !type.name.startsWith('__'));
  return enums
    .map((type) => `export type ${type.name} = ${type.getValues().map(({ name }) => `'${name}'`).join(' | ')};\n`)
    .join('');
}

function overloadsOf(documents) {
  const suffix = { query: 'Query', mutation: 'Mutation', subscription: 'Subscription' };
  const types = documents.map(({ name, definition }) =>
    definition.kind === Kind.FRAGMENT_DEFINITION
      ? `types.${name.replace(/Fragment$/, '')}Fragment, unknown`
      : `types.${name}${suffix[definition.operation]}, types.${name}${suffix[definition.operation]}Variables`,
  );
  const overloads = documents.map(
    ({ source }, index) => `export function graphql(source: ${JSON.stringify(source)}): TypedDocumentNode<${types[index]}>;`,
  );
  return `import { gql, type TypedDocumentNode } from '@urql/core';
import type * as types from './types';

${overloads.join('\n')}
/** A typed document. The build puts the fragments in that it spreads. */
export function graphql(source: string): unknown {
  return gql(source);
}
`;
}

/** What the cache has to know: what can be found by its id, and what each interface stands for. */
function cacheFactsOf(schema) {
  const types = Object.values(schema.getTypeMap()).filter(({ name }) => !name.startsWith('__'));
  const node = schema.getType('Node');
  const roots = new Set([schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()]);
  const embedded = types.filter((type) => isObjectType(type) && !type.getInterfaces().includes(node) && !roots.has(type));
  const abstract = types.filter(isAbstractType).map((type) => [type.name, schema.getPossibleTypes(type).map(({ name }) => name)]);
  return `export const EMBEDDED_TYPES = ${JSON.stringify(embedded.map(({ name }) => name))};
export const POSSIBLE_TYPES = ${JSON.stringify(Object.fromEntries(abstract))};
`;
}

/** Only when it changed, so that watchers do not run in circles. */
function write(name, content) {
  const path = join(ROOT, 'src/gql', name);
  const next = HEADER + content;
  mkdirSync(join(ROOT, 'src/gql'), { recursive: true });
  try {
    if (readFileSync(path, 'utf8') === next) return;
  } catch {
    // There is none yet.
  }
  writeFileSync(path, next);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await generate().catch((error) => {
    console.error(`codegen: ${error.message}`);
    process.exitCode = 1;
  });
}
