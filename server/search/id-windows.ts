import { idMs, periodBits, periodTerm, type Term } from './search-terms.ts';

/** Ids to search, without the bounds themselves. */
export interface IdRange {
  readonly below: string;
  readonly above: string;
}

/** Direction of a walk through the ids: to older ones or to newer ones. */
export type Direction = 'down' | 'up';

/** Terms of periods that a statement searches together. */
export type Window = readonly Term[];

/**
 * Divides a range of ids into windows: first the hour at its beginning, then the next one, the next three, the rest of the
 * surrounding period, and so on. Each window is a few times as long as the one before, so that common words are found in
 * the first ones, and all matches of a rare word need as many as there are. Every id of the range is in exactly one
 * window. The number of windows is always the same.
 */
export function divideIds({ below, above }: IdRange, direction: Direction): Window[] {
  const [first, last] = [idMs(above), idMs(below)];
  const start = direction === 'down' ? last : first;
  const windows: Window[] = [[periodTerm(0, start >> firstBits)]];
  for (const [level, bits] of periodBits.entries()) {
    const own = start >> bits;
    const parentBits = periodBits[level + 1];
    const bounds = { from: first >> bits, to: last >> bits };
    const { from, to } = parentBits === undefined ? bounds : siblingRange(own, parentBits - bits, bounds);
    const terms =
      direction === 'down' ? listPeriods(level, from, own - 1n).toReversed() : listPeriods(level, own + 1n, to);
    windows.push(terms.slice(0, 1), terms.slice(1, 4), terms.slice(4));
  }
  return windows;
}

const [firstBits] = periodBits;

interface PeriodRange {
  readonly from: bigint;
  readonly to: bigint;
}

/** Returns the periods with the same parent, as far as they are in `bounds`. */
function siblingRange(own: bigint, bits: bigint, bounds: PeriodRange): PeriodRange {
  const from = (own >> bits) << bits;
  const to = from + (1n << bits) - 1n;
  return { from: from > bounds.from ? from : bounds.from, to: to < bounds.to ? to : bounds.to };
}

function listPeriods(level: number, from: bigint, to: bigint): Term[] {
  const terms: Term[] = [];
  for (let period = from; period <= to; period += 1n) terms.push(periodTerm(level, period));
  return terms;
}
