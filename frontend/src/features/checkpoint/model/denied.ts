const SENTENCES: Record<string, string> = {
  CANCEL: 'The execution ends.',
  SKIP: 'This step is skipped, and the execution goes on without it.',
  REVISE: 'The step before runs again, learns why, and proposes something else.',
};

/** What a rejection means, as the workflow's document says of the step. */
export function onReject(definition: unknown, stepKey: string): string {
  const steps = hasSteps(definition) ? definition.steps : [];
  const step = steps.find((one): one is { key: string; onReject?: unknown } => typeof one === 'object' && one !== null && 'key' in one && one.key === stepKey);
  return SENTENCES[String(step?.onReject ?? 'CANCEL').toUpperCase()] ?? 'The execution ends.';
}

function hasSteps(definition: unknown): definition is { steps: unknown[] } {
  return typeof definition === 'object' && definition !== null && 'steps' in definition && Array.isArray(definition.steps);
}

export const REJECTED_REQUEST = 'Whoever asked learns of it and why, and does what it thinks right.';
export const REJECTED_QUESTIONS = 'Whoever asked learns that nobody will answer, and why.';
