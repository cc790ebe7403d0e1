import { validationFailed, invalidField } from '../platform/http/http-errors.ts';
import { cleanText, exceedsLimit, isTooLarge } from '../text/index.ts';
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

/** A validated poll of an edited status. What is undefined stays as it was. */
export interface PollEdit extends Omit<PollParams, 'expiresIn' | 'hideTotals'> {
  readonly expiresIn: number | undefined;
  readonly hideTotals: boolean | undefined;
}

/** Validates the poll of a new status. Returns undefined if there is none. Throws 422 if it is invalid. */
export function parsePoll(input: PollInput | undefined): PollParams | undefined {
  const poll = parsePollEdit(input);
  return poll && { ...poll, expiresIn: requireDuration(poll), hideTotals: poll.hideTotals === true };
}

/** Like `parsePoll` for an edited status, whose poll may keep its end. */
export function parsePollEdit(input: PollInput | undefined): PollEdit | undefined {
  if (input === undefined || Object.keys(input).length === 0) return undefined;
  const { expires_in: expiresIn } = input;
  const options = parseOptions(input.options ?? []);
  if (expiresIn !== undefined && expiresIn < pollLimits.minDurationSeconds)
    throw invalidField('expires_at', 'problems.tooSoon');
  if (expiresIn !== undefined && expiresIn > pollLimits.maxDurationSeconds)
    throw invalidField('expires_at', 'problems.tooLate');
  return { options, expiresIn, multiple: input.multiple === true, hideTotals: input.hide_totals };
}

/** Returns the duration of a poll that needs a new end. Throws 422 if it is missing. */
export function requireDuration({ expiresIn }: PollEdit): number {
  if (expiresIn === undefined) throw invalidField('expires_at', 'problems.blank');
  return expiresIn;
}

function parseOptions(typed: readonly string[]): readonly string[] {
  const options = typed.map((option) => cleanText(option).trim()).filter((option) => option !== '');
  const { minOptions, maxOptions, maxOptionLength } = pollLimits;
  if (options.length < minOptions) throw validationFailed('polls.tooFewOptions');
  if (options.length > maxOptions) throw validationFailed('polls.tooManyOptions', { max: maxOptions });
  // Also limits the untrimmed input, which scheduled statuses store.
  if (
    typed.some((option) => isTooLarge(option, maxOptionLength)) ||
    options.some((option) => exceedsLimit(option, maxOptionLength))
  ) {
    throw validationFailed('polls.optionTooLong', { max: maxOptionLength });
  }
  if (new Set(options).size < options.length) throw validationFailed('polls.duplicateOptions');
  return options;
}
