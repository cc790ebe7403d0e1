import { validationFailed, invalidField } from '../platform/http/http-errors.ts';
import { cleanText, countGraphemes, exceedsLimit } from '../text/index.ts';
import type { PollInput } from './schema.ts';

/** Limits of local polls (reference/limits.tsv). */
export const pollLimits = {
  minOptions: 2,
  maxOptions: 4,
  /** Graphemes of one option. */
  maxOptionLength: 50,
  /** Seconds. */
  minDurationSeconds: 300,
  /** Seconds; a month. */
  maxDurationSeconds: 2_629_746,
} as const;

/** A validated poll that is not stored yet. */
export interface PollParams {
  readonly options: readonly string[];
  /** Seconds from when it is posted. */
  readonly expiresIn: number;
  readonly multiple: boolean;
  readonly hideTotals: boolean;
}

/** Validates the poll of a new or edited status. Returns undefined if there is none. Throws 422 if it is invalid. */
export function parsePoll(input: PollInput | undefined): PollParams | undefined {
  if (input === undefined || Object.keys(input).length === 0) return undefined;
  const typed = input.options ?? [];
  const options = typed.map((option) => cleanText(option).trim()).filter((option) => option !== '');
  const { minOptions, maxOptions, maxOptionLength, minDurationSeconds, maxDurationSeconds } = pollLimits;
  if (options.length < minOptions) throw validationFailed('polls.tooFewOptions');
  if (options.length > maxOptions) throw validationFailed('polls.tooManyOptions', { max: maxOptions });
  // Also limits the untrimmed input, which scheduled statuses store.
  if (
    typed.some((option) => exceedsLimit(option, maxOptionLength, () => 0)) ||
    options.some((option) => exceedsLimit(option, maxOptionLength, countGraphemes))
  ) {
    throw validationFailed('polls.optionTooLong', { max: maxOptionLength });
  }
  if (new Set(options).size < options.length) throw validationFailed('polls.duplicateOptions');
  const { expires_in: expiresIn } = input;
  if (expiresIn === undefined) throw invalidField('expires_at', 'problems.blank');
  if (expiresIn < minDurationSeconds) throw invalidField('expires_at', 'problems.tooSoon');
  if (expiresIn > maxDurationSeconds) throw invalidField('expires_at', 'problems.tooLate');
  return { options, expiresIn, multiple: input.multiple === true, hideTotals: input.hide_totals === true };
}
