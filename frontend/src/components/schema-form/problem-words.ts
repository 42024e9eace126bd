/* What a schema wants, in words for whoever fills in a form. */

type Rules = Readonly<Record<string, unknown>>;

const TYPES: Readonly<Record<string, string>> = {
  string: 'a text',
  number: 'a number',
  integer: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  null: 'empty',
};

const FORMATS: Readonly<Record<string, string>> = {
  email: 'an e-mail address, such as ada@example.com',
  date: 'a date, such as 2026-01-31',
  'date-time': 'a date and a time, such as 2026-01-31T12:00:00Z',
  time: 'a time, such as 12:00:00Z',
  uri: 'an address, such as https://example.com',
  uuid: 'a UUID',
};

/** What should be there for one keyword; null where the validator's own words must do. */
export function problemWords(keyword: string, rules: Rules): string | null {
  const rule = rules[keyword];
  switch (keyword) {
    case 'type':
      return `Should be ${(Array.isArray(rule) ? rule : [rule]).map((type) => TYPES[String(type)] ?? String(type)).join(' or ')}.`;
    case 'const':
      return `Should be ${JSON.stringify(rule)}.`;
    case 'minimum':
      return `Should be at least ${String(rule)}.`;
    case 'maximum':
      return `Should be at most ${String(rule)}.`;
    case 'exclusiveMinimum':
      return `Should be more than ${String(rule)}.`;
    case 'exclusiveMaximum':
      return `Should be less than ${String(rule)}.`;
    case 'multipleOf':
      return `Should be a multiple of ${String(rule)}.`;
    case 'minLength':
      return rule === 1 ? 'Should not be empty.' : `Should have at least ${String(rule)} characters.`;
    case 'maxLength':
      return `Should have at most ${String(rule)} characters.`;
    case 'minItems':
      return rule === 1 ? 'Should not be empty.' : `Should have at least ${String(rule)} entries.`;
    case 'maxItems':
      return `Should have at most ${String(rule)} entries.`;
    case 'uniqueItems':
      return 'Should not have the same entry twice.';
    case 'pattern':
      return `Should look like ${Array.isArray(rules['examples']) && rules['examples'].length > 0 ? String(rules['examples'][0]) : String(rule)}.`;
    case 'format':
      return `Should be ${FORMATS[String(rule)] ?? `of the format ${String(rule)}`}.`;
    default:
      return null;
  }
}

/** The rules in which a keyword stands, by its place in the schema as the validator tells it; null if they are not there. */
export function rulesAt(schema: unknown, keywordLocation: string): Rules | null {
  const parts = keywordLocation.split('/').slice(1, -1).map((part) => decodeURIComponent(part).replaceAll('~1', '/').replaceAll('~0', '~'));
  let at: unknown = schema;
  for (const part of parts) {
    if (!isRules(at)) return null;
    const next: unknown = at[part];
    at = part === '$ref' && typeof next === 'string' && next.startsWith('#') ? (rulesAt(schema, `${next}/`) ?? schema) : next;
  }
  return isRules(at) ? at : null;
}

function isRules(value: unknown): value is Rules {
  return typeof value === 'object' && value !== null;
}
