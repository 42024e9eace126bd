/** What the server said went wrong, or `UNREACHABLE` when it said nothing that we can read. */
export class ApiError extends Error {
  readonly code: string;
  readonly retryAfterSeconds: number | null;

  constructor(code: string, message: string, retryAfterSeconds: number | null = null) {
    super(message);
    this.name = 'ApiError';
    this.code = code;
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

export function hasCode(error: unknown, code: string): boolean {
  return error instanceof ApiError && error.code === code;
}

/** A sentence for a person. Only words that the server meant for people, or our own, ever reach the screen. */
export function describe(error: unknown): string {
  if (!(error instanceof ApiError)) return 'Something went wrong on this page. Reload it and try again.';
  if (error.code === 'UNREACHABLE') return 'The server cannot be reached right now. Check your connection and try again.';
  if (error.code === 'RATE_LIMITED') return `Too many attempts. Try again ${waitingTime(error.retryAfterSeconds)}.`;
  return error.message;
}

function waitingTime(seconds: number | null): string {
  if (seconds === null) return 'in a moment';
  if (seconds < 90) return `in ${seconds} ${seconds === 1 ? 'second' : 'seconds'}`;
  return `in ${Math.ceil(seconds / 60)} minutes`;
}
