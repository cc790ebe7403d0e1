import { sql } from 'kysely';
import type { App } from '../platform/app.ts';
import { prepared } from '../platform/database/prepared.ts';
import type { AccountId, StatusId } from '../platform/ids.ts';
import type { Entry } from './hide-repeats.ts';

/** What is stored of a home feed in one stretch. */
export interface StoredStretch {
  readonly entries: Entry[];
  /** Nothing is missing from this status id on. */
  readonly completeFrom: StatusId;
  readonly usedAt: Date;
}

interface Args {
  readonly accountId: AccountId;
  readonly bound: StatusId;
  readonly count: number;
}

interface Row {
  readonly complete_from: StatusId;
  readonly used_at: Date;
  /** `id` or `id:reblogged id`, separated by commas: much cheaper to read than rows. */
  readonly entries: string | null;
}

const statements = {
  desc: prepared<Row>()((db, args: Args) => ({
    compile: () =>
      sql<Row>`
        select h.complete_from, h.used_at, (
          select string_agg(e.status_id || coalesce(':' || e.reblog_of_id, ''), ',' order by e.status_id desc)
          from (
            select status_id, reblog_of_id from home_feed
            where account_id = h.account_id and status_id >= h.complete_from and status_id < ${args.bound}::bigint
            order by status_id desc limit ${args.count}::int
          ) e
        ) as entries
        from home_feed_states h where h.account_id = ${args.accountId}::bigint`.compile(db),
  })),
  asc: prepared<Row>()((db, args: Args) => ({
    compile: () =>
      sql<Row>`
        select h.complete_from, h.used_at, (
          select string_agg(e.status_id || coalesce(':' || e.reblog_of_id, ''), ',' order by e.status_id)
          from (
            select status_id, reblog_of_id from home_feed
            where account_id = h.account_id and status_id >= h.complete_from and status_id > ${args.bound}::bigint
            order by status_id limit ${args.count}::int
          ) e
        ) as entries
        from home_feed_states h where h.account_id = ${args.accountId}::bigint`.compile(db),
  })),
};

/**
 * Reads up to `count` stored entries below (`desc`, newest first) or above (`asc`, oldest first) the status id `bound`;
 * undefined when no feed is kept for this account.
 */
export async function readStored(app: App, direction: 'asc' | 'desc', args: Args): Promise<StoredStretch | undefined> {
  const [row] = await statements[direction](app, args);
  if (row === undefined) return undefined;
  return { entries: readEntries(row.entries), completeFrom: row.complete_from, usedAt: row.used_at };
}

/** Reads entries from their text: `id` or `id:reblogged id`, separated by commas; null for none. */
export function readEntries(text: string | null): Entry[] {
  return text === null ? [] : text.split(',').map(readEntry);
}

function readEntry(text: string): Entry {
  const colon = text.indexOf(':');
  if (colon === -1) return { id: text as StatusId, reblogOfId: undefined };
  return { id: text.slice(0, colon) as StatusId, reblogOfId: text.slice(colon + 1) as StatusId };
}
