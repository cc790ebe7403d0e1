import { invalid } from '../platform/http/problems.ts';
import { cleanText, countGraphemes, exceedsLimit } from '../text/index.ts';
import type { PollInput } from './schema.ts';

/** What a local poll may be like (reference/limits.tsv). */
export const pollLimits = {
  leastOptions: 2,
  mostOptions: 4,
  /** Graphemes of one option. */
  longestOption: 50,
  /** Seconds. */
  shortest: 300,
  /** Seconds; a month. */
  longest: 2_629_746,
} as const;

/** A poll as somebody wants it. */
export interface WantedPoll {
  readonly options: readonly string[];
  /** Seconds from when it is posted. */
  readonly expiresIn: number;
  readonly multiple: boolean;
  readonly hideTotals: boolean;
}

/** Reads a poll that is to be posted; undefined when none is asked for. Throws 422 for one that cannot be. */
export function readPoll(input: PollInput | undefined): WantedPoll | undefined {
  if (input === undefined || Object.keys(input).length === 0) return undefined;
  const typed = input.options ?? [];
  const options = typed.map((option) => cleanText(option).trim()).filter((option) => option !== '');
  const { leastOptions, mostOptions, longestOption, shortest, longest } = pollLimits;
  if (options.length < leastOptions) throw invalid('Options must have more than one item');
  if (options.length > mostOptions) throw invalid(`Options can't contain more than ${mostOptions} items`);
  // Also as typed: scheduled statuses keep it.
  if (
    typed.some((option) => exceedsLimit(option, longestOption, () => 0)) ||
    options.some((option) => exceedsLimit(option, longestOption, countGraphemes))
  ) {
    throw invalid(`Options can't be longer than ${longestOption} characters each`);
  }
  if (new Set(options).size < options.length) throw invalid('Options contain duplicate items');
  const { expires_in: expiresIn } = input;
  if (expiresIn === undefined) throw invalid("Expires at can't be blank");
  if (expiresIn < shortest) throw invalid('Expires at is too soon');
  if (expiresIn > longest) throw invalid('Expires at is too far into the future');
  return { options, expiresIn, multiple: input.multiple === true, hideTotals: input.hide_totals === true };
}
