import type { RiskLevel } from '../../../gql/enums';
import { parseExact, stringifyExact } from '../../../lib/exact-json';

/** A proposal to try a policy on, as somebody types it. */
export interface Trial {
  operationType: string;
  riskLevel: RiskLevel;
  confidence: number | null;
  parameters: string;
  input: string;
  context: string;
  gate: 'POLICY' | 'ALWAYS';
  kind: 'STEP' | 'REQUEST';
}

export const EMPTY_TRIAL: Trial = {
  operationType: 'refund',
  riskLevel: 'MEDIUM',
  confidence: 0.9,
  parameters: '{\n  "amount": 120\n}',
  input: '',
  context: '',
  gate: 'POLICY',
  kind: 'STEP',
};

export type TrialErrors = Partial<Record<'operationType' | 'parameters' | 'input' | 'context', string>>;

/** The API's input, or what is wrong with what was typed. */
export function inputOf(trial: Trial, document: string | null) {
  const errors: TrialErrors = {};
  const parameters = read(trial.parameters.trim() === '' ? '{}' : trial.parameters);
  const input = trial.input.trim() === '' ? null : read(trial.input);
  const context = trial.context.trim() === '' ? null : read(trial.context);
  if (trial.operationType.trim() === '') errors.operationType = 'Say what kind of action it is.';
  if (!parameters || !isObject(parameters.value)) errors.parameters = 'This has to be a JSON object.';
  if (input === undefined) errors.input = 'This is not JSON.';
  if (context === undefined) errors.context = 'This is not JSON.';
  if (Object.keys(errors).length > 0) return { errors, input: null };
  return {
    errors,
    input: {
      operationType: trial.operationType.trim(),
      riskLevel: trial.riskLevel,
      parameters: parameters?.value,
      gate: trial.gate,
      kind: trial.kind,
      ...(trial.confidence === null ? {} : { confidence: trial.confidence }),
      ...(input ? { input: input.value } : {}),
      ...(context ? { context: context.value } : {}),
      ...(document === null ? {} : { document }),
    },
  };
}

interface Proposed {
  readonly operationType: string;
  readonly riskLevel: RiskLevel;
  readonly proposal: { readonly parameters: unknown; readonly confidence: number | null };
}

/** What really was proposed once. */
export function trialOf({ operationType, riskLevel, proposal }: Proposed): Trial {
  const parameters = stringifyExact(proposal.parameters, 2);
  return { ...EMPTY_TRIAL, operationType, riskLevel, confidence: proposal.confidence, parameters };
}

function read(text: string): { value: unknown } | undefined {
  try {
    return { value: parseExact(text) };
  } catch {
    return undefined;
  }
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
