/** What became of a test, or of the hooks of a file or of a `describe`. */
export interface Outcome {
  /** The same in each attempt. */
  readonly id: string;
  readonly file: string;
  readonly name: string;
  readonly isTest: boolean;
  readonly state: 'passed' | 'failed' | 'skipped';
}

export interface Attempt {
  readonly outcomes: readonly Outcome[];
  /** What failed besides tests and hooks, in words. */
  readonly others: readonly string[];
}

export function filesToRepeat(attempt: Attempt): string[];
export function combineAttempts(first: Attempt, second: Attempt): Attempt;
export function describeAttempts(first: Attempt, second: Attempt): string[];
export function hasFailed(attempt: Attempt): boolean;
export function formatResult(attempt: Attempt): string;
