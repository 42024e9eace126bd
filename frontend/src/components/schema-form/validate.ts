import { Validator, type OutputUnit, type Schema } from '@cfworker/json-schema';
import { problemWords, rulesAt } from './problem-words';

/*
 * JSON Schema without code generation: the usual validator compiles schemas with `new Function`, which our
 * Content-Security-Policy forbids, and for schemas that agents bring along it should.
 */

export interface Problem {
  path: (string | number)[];
  keyword: string;
  message: string;
}

/** These only say that something below them is wrong, which has a message of its own. */
const WRAPPERS = new Set(['properties', 'items', 'prefixItems', '$ref', 'allOf', 'then', 'else', 'if', 'dependentSchemas', 'patternProperties']);

/** All that is wrong with a value. A schema that cannot be read finds nothing: the server checks again in any case. */
export function validate(schema: unknown, value: unknown): Problem[] {
  const units = run(schema, value).filter(({ keyword }) => !WRAPPERS.has(keyword));
  // `anyOf` reports every branch that did not fit; one sentence about it is enough.
  const choices = units.filter(({ keyword }) => keyword === 'anyOf' || keyword === 'oneOf');
  return units.filter((unit) => !isInsideChoice(unit, choices)).map((unit) => problemOf(schema, unit));
}

export function isValid(schema: unknown, value: unknown): boolean {
  return run(schema, value).length === 0;
}

function run(schema: unknown, value: unknown): OutputUnit[] {
  if (value === undefined || (typeof schema !== 'boolean' && (typeof schema !== 'object' || schema === null))) return [];
  try {
    // An exact number is near enough to the one that it rounds to for every bound that a schema sets.
    const plain: unknown = JSON.parse(JSON.stringify(value));
    return new Validator(schema as Schema | boolean, '2020-12', false).validate(plain).errors;
  } catch {
    return [];
  }
}

function isInsideChoice(unit: OutputUnit, choices: OutputUnit[]): boolean {
  return choices.some((choice) => unit !== choice && unit.keywordLocation.startsWith(`${choice.keywordLocation}/`));
}

function problemOf(schema: unknown, { keyword, keywordLocation, instanceLocation, error }: OutputUnit): Problem {
  const path = instanceLocation.split('/').slice(1).map(unescape);
  const missing = keyword === 'required' ? /"(.+)"/.exec(error)?.[1] : undefined;
  const rules = rulesAt(schema, keywordLocation);
  const words = rules === null ? null : problemWords(keyword, rules);
  return { path: missing === undefined ? path : [...path, missing], keyword, message: words ?? messageOf(keyword, error) };
}

function messageOf(keyword: string, error: string): string {
  if (keyword === 'required') return 'Is missing.';
  if (keyword === 'enum') return 'Should be one of the values to choose from.';
  if (keyword === 'anyOf' || keyword === 'oneOf') return 'Fits none of the forms that are possible here.';
  if (keyword === 'additionalProperties') return error.replace(/ does not match additional properties schema/, ' is not known');
  return error;
}

/** A part of a JSON pointer in a URI fragment; digits are places in a list. */
function unescape(part: string): string | number {
  const text = decodeURIComponent(part).replaceAll('~1', '/').replaceAll('~0', '~');
  return /^(?:0|[1-9]\d*)$/.test(text) ? Number(text) : text;
}
