import { credits } from '../lib/format';

/** Micro-credits, as the API counts money; null shows a dash. */
export function Money({ micros }: { micros: number | null }) {
  if (micros === null) return <span aria-label="unknown">–</span>;
  return <span title={`${micros} micro-credits`}>{credits(micros)} cr</span>;
}
