import { isMap, isSeq, parse, parseDocument } from 'yaml';

/**
 * A policy with one more auto-approval rule, before the others; comments and order of the rest stay. Null where the text leaves
 * no place for it, as when it cannot be read.
 */
export function addRule(document: string, rule: string): string | null {
  const policy = parseDocument(document, { logLevel: 'silent' });
  const added = ruleOf(rule);
  if (policy.errors.length > 0 || !isMap(policy.contents) || added === null) return null;
  const section: unknown = policy.get('auto_approval');
  if (section === undefined || section === null) {
    policy.set('auto_approval', policy.createNode({ rules: [added] }));
    return policy.toString({ lineWidth: 0 });
  }
  if (!isMap(section)) return null;
  const rules: unknown = section.get('rules');
  if (rules === undefined || rules === null) section.set('rules', policy.createNode([added]));
  else if (isSeq(rules)) rules.items.unshift(policy.createNode(added));
  else return null;
  return policy.toString({ lineWidth: 0 });
}

/** A suggestion is an item of a list, with its dash or without. */
function ruleOf(text: string): unknown {
  try {
    const value: unknown = parse(text);
    const rule: unknown = Array.isArray(value) ? value[0] : value;
    return typeof rule === 'object' ? rule : null;
  } catch {
    return null;
  }
}
