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

export interface UserError {
  readonly code: string;
  readonly message: string;
  readonly path: readonly string[];
}

/** A mutation that the server refused for something that the caller can fix. */
export class CommandError extends ApiError {
  /** All that is wrong; the error itself is the first. */
  readonly userErrors: readonly UserError[];
  /** The mutation's payload, for what comes along with a refusal: the object as it is now, the difference to it. */
  readonly payload: unknown;

  constructor(first: UserError, userErrors: readonly UserError[], payload: unknown) {
    super(first.code, first.message);
    this.name = 'CommandError';
    this.userErrors = userErrors;
    this.payload = payload;
  }

  /** What is wrong with one field of the input, for the message beside it. */
  at(...path: string[]): string | undefined {
    return this.userErrors.find((error) => path.every((part, index) => error.path[index] === part))?.message;
  }
}

export function hasCode(error: unknown, code: string): boolean {
  return error instanceof ApiError && error.code === code;
}

const SENTENCES: Record<string, string> = {
  UNREACHABLE: 'The server cannot be reached right now. Check your connection and try again.',
  INTERNAL: 'Something went wrong on the server. Try again; if it happens again, tell whoever runs it.',
  TIMEOUT: 'The server took too long to answer. Try again in a moment.',
  GRAPHQL_VALIDATION_FAILED: 'This page is older than the server. Reload it to go on.',
};

/** A sentence for a person. Only words that the server meant for people, or our own, ever reach the screen. */
export function describe(error: unknown): string {
  if (!(error instanceof ApiError)) return 'Something went wrong on this page. Reload it and try again.';
  if (error.code === 'RATE_LIMITED') return `Too many attempts. Try again ${waitingTime(error.retryAfterSeconds)}.`;
  return SENTENCES[error.code] ?? sentence(error.message);
}

/** The API's messages begin in lower case and have no full stop, as parts of sentences do. */
export function sentence(message: string): string {
  const text = message.charAt(0).toUpperCase() + message.slice(1);
  return /[.!?…]$/.test(text) ? text : `${text}.`;
}

function waitingTime(seconds: number | null): string {
  if (seconds === null) return 'in a moment';
  if (seconds < 90) return `in ${seconds} ${seconds === 1 ? 'second' : 'seconds'}`;
  return `in ${Math.ceil(seconds / 60)} minutes`;
}
