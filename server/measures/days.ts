/** A day in UTC, such as 2026-11-22. */
export type Day = string;

const dayMs = 86_400_000;

export const toDay = (date: Date): Day => date.toISOString().slice(0, 10);
const startOf = (day: Day): number => Date.parse(`${day}T00:00:00Z`);

export const addDays = (day: Day, count: number): Day => toDay(new Date(startOf(day) + count * dayMs));

/** Returns the number of days from `first` to `last`, both included. */
export const countDays = (first: Day, last: Day): number => (startOf(last) - startOf(first)) / dayMs + 1;

/** Returns the days from `first` to `last`, both included. */
export const listDays = (first: Day, last: Day): Day[] =>
  Array.from({ length: countDays(first, last) }, (_, index) => addDays(first, index));

/** Returns the start of a day as the API sends it. */
export const presentDay = (day: Day): string => `${day}T00:00:00.000Z`;

/** Returns the lowest possible id of a row that was created on this day. */
export const firstIdOf = (day: Day): string => String(BigInt(Math.max(startOf(day), 0)) << 16n);

/** Returns the lowest possible id of a row that is created after this millisecond. */
export const firstIdAfter = (date: Date): string => String(BigInt(date.getTime() + 1) << 16n);

export const startOfDay = (day: Day): Date => new Date(startOf(day));
