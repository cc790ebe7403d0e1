/** Times to choose from, in hours. */
export const periodHours = [1, 4, 8, 24, 72, 168] as const;

/** What the address of the page names: what to catch up on, or how long. */
export type Wanted =
  /** Since a time in milliseconds, up to a post of home: what was shown before. */
  | { readonly kind: 'posts'; readonly since: number; readonly until: string }
  | { readonly kind: 'hours'; readonly hours: number }
  | { readonly kind: 'visit' }
  | { readonly kind: 'nothing' };

/** Parses the query of `/catch-up`. */
export function parseWanted(query: Readonly<Record<string, string>>): Wanted {
  const { since = '', until = '', period = '' } = query;
  const time = Date.parse(since);
  if (!Number.isNaN(time) && /^\d{1,19}$/.test(until)) return { kind: 'posts', since: time, until };
  if (period === 'visit') return { kind: 'visit' };
  const hours = /^(\d{1,3})h$/.exec(period)?.[1];
  return hours === undefined || Number(hours) === 0 ? { kind: 'nothing' } : { kind: 'hours', hours: Number(hours) };
}

/** Returns the address of the posts since a time up to one of home. It shows the same ones again later, and offline. */
export const addressOf = (since: number, until: string): string =>
  `/catch-up?since=${new Date(since).toISOString().slice(0, 16)}Z&until=${until}`;
