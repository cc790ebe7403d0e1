import { sql } from 'kysely';
import { preparedQuery } from '../../platform/database/prepared-query.ts';
import type { TagId } from '../../platform/ids.ts';
import type { Day } from '../days.ts';
import type { CountKind } from '../tables.ts';

export interface DailyValue {
  readonly day: Day;
  readonly value: string;
}

export interface TotalRow {
  readonly total: string;
}

interface Days {
  readonly from: Day;
  readonly to: Day;
}

/** Returns the counts of a kind by day. Days without any have no row. */
export const valuesOfKind = preparedQuery<DailyValue>()((db, args: Days & { kind: CountKind }) => ({
  compile: () =>
    sql<DailyValue>`
      select day::text, sum(value)::text as value from daily_counts
      where kind = ${args.kind} and day between ${args.from}::date and ${args.to}::date
      group by day`.compile(db),
}));

/** Returns the counts of one key by day. */
export const valuesOfKey = preparedQuery<DailyValue>()((db, args: Days & { kind: CountKind; key: string }) => ({
  compile: () =>
    sql<DailyValue>`
      select day::text, sum(value)::text as value from daily_counts
      where kind = ${args.kind} and key = ${args.key} and day between ${args.from}::date and ${args.to}::date
      group by day`.compile(db),
}));

/** Returns the sum of the counts of one key, of all days. */
export const totalOfKey = preparedQuery<TotalRow>()((db, args: { kind: CountKind; key: string }) => ({
  compile: () =>
    sql<TotalRow>`
      select coalesce(sum(value), 0)::text as total from daily_counts
      where kind = ${args.kind} and key = ${args.key}`.compile(db),
}));

/** Returns how many users were active on each day. */
export const activeUsersByDay = preparedQuery<DailyValue>()((db, args: Days) => ({
  compile: () =>
    sql<DailyValue>`
      select day::text, sum(number)::text as value from active_user_counts
      where day between ${args.from}::date and ${args.to}::date group by day`.compile(db),
}));

/** Returns how many different users were active: those who had not been active since the start before. */
export const activeUsers = preparedQuery<TotalRow>()((db, args: Days) => ({
  compile: () =>
    sql<TotalRow>`
      select coalesce(sum(number), 0)::text as total from active_user_counts
      where day between ${args.from}::date and ${args.to}::date and previous_day < ${args.from}::date`.compile(db),
}));

/** Returns the uses of a hashtag by day. */
export const tagUsesByDay = preparedQuery<DailyValue>()((db, args: Days & { tagId: TagId }) => ({
  compile: () =>
    sql<DailyValue>`
      select day::text, sum(uses)::text as value from tag_daily_uses
      where tag_id = ${args.tagId}::bigint and dimension = 'language'
        and day between ${args.from}::date and ${args.to}::date
      group by day`.compile(db),
}));

type TagUsers = Days & { readonly tagId: TagId; readonly dimension: 'account' | 'domain' };

/** Returns how many accounts or servers used a hashtag on each day. */
export const tagUsersByDay = preparedQuery<DailyValue>()((db, args: TagUsers) => ({
  compile: () =>
    sql<DailyValue>`
      select day::text, count(*)::text as value from tag_daily_uses
      where tag_id = ${args.tagId}::bigint and dimension = ${args.dimension}
        and day between ${args.from}::date and ${args.to}::date
      group by day`.compile(db),
}));

/** Returns how many different accounts or servers used a hashtag. */
export const tagUsers = preparedQuery<TotalRow>()((db, args: TagUsers) => ({
  compile: () =>
    sql<TotalRow>`
      select count(distinct part)::text as total from tag_daily_uses
      where tag_id = ${args.tagId}::bigint and dimension = ${args.dimension}
        and day between ${args.from}::date and ${args.to}::date`.compile(db),
}));
