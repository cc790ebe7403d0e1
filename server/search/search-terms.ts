import { crc32 } from 'node:zlib';
import type { AccountId, StatusId } from '../platform/ids.ts';
import { isTagName, normalizeTag, type Word } from '../text/index.ts';

/** What the index stores of a word or a property: a hash of 32 bits. A search compares the texts of its results. */
export type Term = number;

/** Returns the term of a text; equal texts have equal terms. */
export const hashTerm = (text: string): Term => crc32(text) | 0;

/** Properties that narrow a search. Words contain neither a colon nor `#`. */
export const propertyTerm = {
  author: (id: AccountId) => hashTerm(`from:${id}`),
  language: (code: string) => hashTerm(`language:${code.toLowerCase()}`),
  has: (kind: string) => hashTerm(`has:${kind}`),
  is: (property: string) => hashTerm(`is:${property}`),
  tag: (name: string) => hashTerm(`#${name}`),
} as const;

/** Sizes of the parts of time that have a term, in bits of milliseconds: an hour, most of a day, 12 days, 199 days. */
export const periodBits = [22n, 26n, 30n, 34n] as const;

/** Returns the term of a part of time. `level`: index in `periodBits`. */
export const periodTerm = (level: number, period: bigint): Term => hashTerm(`time:${level}:${period}`);

const idTimeShift = 16n;

/** Returns the milliseconds in an id. */
export const idMs = (id: string): bigint => BigInt(id) >> idTimeShift;

/** Returns the terms of the time in a status's id. */
export const timeTerms = (id: StatusId): Term[] => periodBits.map((bits, level) => periodTerm(level, idMs(id) >> bits));

const han = /^\p{scx=Hani}$/u;

/**
 * Returns the terms by which a run of words is found: each word; each pair of neighbouring characters of a script without
 * spaces, and each Chinese character alone.
 */
export function wordTerms(words: readonly Word[]): Term[] {
  const terms: Term[] = [];
  for (const [index, { folded, isCharacter }] of words.entries()) {
    if (!isCharacter || han.test(folded)) terms.push(hashTerm(folded));
    const next = words[index + 1];
    if (next?.isJoined === true) terms.push(hashTerm(folded + next.folded));
  }
  return terms;
}

/** Returns the normalised names of the hashtags in a text. */
export function listTags(text: string): string[] {
  const names = text.match(/(?<![\p{L}\p{M}\p{N}\p{Pc}&/])[#＃][\p{L}\p{M}\p{N}\p{Pc}·・\u200c]+/gu) ?? [];
  return names.map(normalizeTag).filter(isTagName);
}
