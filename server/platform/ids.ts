import { randomInt } from 'node:crypto';

declare const ownerBrand: unique symbol;

/** A 64-bit identifier as a decimal string, branded by its table. Never converted to a number. */
export type Id<Owner extends string> = string & { readonly [ownerBrand]: Owner };

export type AccountId = Id<'account'>;
export type UserId = Id<'user'>;
export type RoleId = Id<'role'>;
export type SessionId = Id<'session'>;
export type ApplicationId = Id<'application'>;
export type TokenId = Id<'token'>;
export type StatusId = Id<'status'>;
export type ConversationId = Id<'conversation'>;
export type NotificationId = Id<'notification'>;
export type TagId = Id<'tag'>;
export type PushSubscriptionId = Id<'push-subscription'>;
export type MediaId = Id<'media'>;
export type PollId = Id<'poll'>;
export type ListId = Id<'list'>;
export type FilterId = Id<'filter'>;
export type FilterKeywordId = Id<'filter-keyword'>;
/** The entry of a single status in a filter. */
export type FilterStatusId = Id<'filter-status'>;
export type CollectionId = Id<'collection'>;
/** An item of a collection. */
export type CollectionItemId = Id<'collection-item'>;
export type JobId = Id<'job'>;
export type FetchBudgetId = Id<'fetch-budget'>;
/** The id of a row whose only use is its order in a listing (a follow, a block, a favourite). */
export type RowId = Id<'row'>;

/** An id of whichever table a query compares it with: one that was parsed, or that a column stores for several tables. */
export type AnyId = Id<never>;

/** Returns an id that is written in the code. */
export const fixedId = <Owner extends string>(id: `${bigint}`): Id<Owner> => id as Id<Owner>;

/** The identifier of nothing: no row has it, and it sorts before those of all rows. */
export const noId: AnyId = fixedId('0');

/** The smallest and the largest 64-bit integer. */
export const minId: AnyId = fixedId('-9223372036854775808');
export const maxId: AnyId = fixedId('9223372036854775807');

/** Returns whether a text is a 64-bit integer. */
export function isId(text: string): text is AnyId {
  if (!/^-?\d{1,19}$/.test(text)) return false;
  const digits = text.startsWith('-') ? text.slice(1) : text;
  return digits.length < maxId.length || digits <= maxId;
}

/** The last id of one clock. */
export interface IdSequence {
  last: bigint;
}

/** Half of the ids of a millisecond: the other half is left for further ids of the same time. */
const maxStep = 0x8000;

/** The ids of this process. */
export const systemSequence: IdSequence = { last: 0n };
const sequences = new WeakMap<Date, IdSequence>();

/** Binds a date to an id sequence of its own, for test clocks that differ from the system clock. */
export function bindSequence(now: Date, sequence: IdSequence): Date {
  sequences.set(now, sequence);
  return now;
}

/**
 * Returns a new time-sortable id: 48 bits of milliseconds, 16 of sequence. Ids only grow, even if the clock goes back.
 * Random low bits keep the ids of several processes apart. While the clock is behind, so do random steps: all processes
 * may have continued after the same id.
 */
export function newId<Owner extends string>(now: Date = new Date()): Id<Owner> {
  const sequence = sequences.get(now) ?? systemSequence;
  const time = now.getTime();
  const id = composeId(time, randomInt(maxStep));
  const step = sequence.last < composeId(time + 1, 0) ? 1 : randomInt(1, maxStep);
  sequence.last = id > sequence.last ? id : sequence.last + BigInt(step);
  return String(sequence.last) as Id<Owner>;
}

/** Makes all new ids greater than `id`, for ids of earlier processes whose clock was ahead. */
export function resumeAfter(id: string): void {
  if (BigInt(id) > systemSequence.last) systemSequence.last = BigInt(id);
}

/** Returns an id that sorts by `date`, with random low bits, for remote or older objects. */
export function idFromDate<Owner extends string>(date: Date): Id<Owner> {
  return String(composeId(date.getTime(), randomInt(0x10000))) as Id<Owner>;
}

/** Returns the id at a distance from another one. */
export const addToId = <Owner extends string>(id: Id<Owner>, distance: bigint): Id<Owner> =>
  String(BigInt(id) + distance) as Id<Owner>;

/** Returns the time in an id. */
export function dateFromId(id: string): Date {
  return new Date(Number(BigInt(id) >> 16n));
}

/** Compares ids, oldest first: by length, then as text. */
export function compareIds(a: string, b: string): number {
  if (a.length !== b.length) return a.length - b.length;
  return a < b ? -1 : a > b ? 1 : 0;
}

function composeId(milliseconds: number, low: number): bigint {
  return (BigInt(Math.max(milliseconds, 0)) << 16n) | BigInt(low);
}
