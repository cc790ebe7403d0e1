import { sql } from 'kysely';
import { preparedQuery } from '../../platform/database/prepared-query.ts';
import type { TagId } from '../../platform/ids.ts';
import type { Day } from '../days.ts';
import type { CountKind } from '../tables.ts';

export interface TopValue {
  readonly name: string;
  readonly value: string;
}

interface Top {
  readonly from: Day;
  readonly to: Day;
  readonly limit: number;
}

/** Returns the keys of a kind with the highest counts. */
export const topKeys = preparedQuery<TopValue>()((db, args: Top & { kind: CountKind }) => ({
  compile: () =>
    sql<TopValue>`
      select key as name, sum(value)::text as value from daily_counts
      where kind = ${args.kind} and day between ${args.from}::date and ${args.to}::date
      group by key order by sum(value) desc, key limit ${args.limit}::int`.compile(db),
}));

/** Returns the parts of a key with the highest counts. */
export const topParts = preparedQuery<TopValue>()((db, args: Top & { kind: CountKind; key: string }) => ({
  compile: () =>
    sql<TopValue>`
      select part as name, sum(value)::text as value from daily_counts
      where kind = ${args.kind} and key = ${args.key} and day between ${args.from}::date and ${args.to}::date
      group by part order by sum(value) desc, part limit ${args.limit}::int`.compile(db),
}));

/** Returns the apps with which most users signed up; the name is empty for the website. */
export const topApps = preparedQuery<TopValue>()((db, args: Top) => ({
  compile: () =>
    sql<TopValue>`
      select coalesce(app.name, '') as name, sum(counts.value)::text as value
      from daily_counts counts left join oauth_applications app on app.id = nullif(counts.key, '')::bigint
      where counts.kind = 'users' and counts.day between ${args.from}::date and ${args.to}::date
      group by 1 order by sum(counts.value) desc, 1 limit ${args.limit}::int`.compile(db),
}));

/** Returns the servers or languages that used a hashtag most. */
export const topTagParts = preparedQuery<TopValue>()(
  (db, args: Top & { tagId: TagId; dimension: 'domain' | 'language' }) => ({
    compile: () =>
      sql<TopValue>`
        select part as name, sum(uses)::text as value from tag_daily_uses
        where tag_id = ${args.tagId}::bigint and dimension = ${args.dimension}
          and day between ${args.from}::date and ${args.to}::date
        group by part order by sum(uses) desc, part limit ${args.limit}::int`.compile(db),
  }),
);

/** Returns the accounts of a domain with the most local followers, and others if there are not enough. */
export const topAccounts = preparedQuery<TopValue>()((db, args: { domain: string; limit: number }) => ({
  compile: () =>
    sql<TopValue>`
      with top as (
        select account.id, account.username, top.followers
        from domain_top_accounts top join accounts account on account.id = top.account_id
        where top.domain = ${args.domain} and account.deleted_at is null
      ), others as (
        select id, username, 0 from accounts
        where domain is not distinct from nullif(${args.domain}, '') and deleted_at is null
          and id not in (select id from top)
        limit ${args.limit}::int
      )
      select username as name, followers::text as value
      from (select * from top union all select * from others) listed
      order by followers desc, id limit ${args.limit}::int`.compile(db),
}));
