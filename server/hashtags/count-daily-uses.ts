import { sql, type RawBuilder } from 'kysely';
import type { Transaction } from '../platform/write/transaction.ts';

/** Statuses of a day in UTC by their ids. */
interface TagRange {
  /** Such as 2026-11-22. */
  readonly day: string;
  readonly from: string;
  /** Exclusive. */
  readonly to: string;
}

/** All statuses of a day. */
export interface TagDay extends TagRange {
  readonly isOver: boolean;
}

/** Selects tag_id, dimension, part and uses. The ids are literals, so that the planner knows how many rows there are. */
const selectUses = ({ from, to }: TagRange): RawBuilder<unknown> => sql`
  select tagged.tag_id, use.dimension, use.part, count(*) as uses
  from statuses status
  join accounts account on account.id = status.account_id
  join status_tags tagged on tagged.status_id = status.id
  cross join lateral (values
    ('account', status.account_id::text),
    ('domain', coalesce(account.domain, '')),
    ('language', coalesce(status.language, 'und'))
  ) use(dimension, part)
  where status.id >= ${sql.lit(from)}::bigint and status.id < ${sql.lit(to)}::bigint
    and status.deleted_at is null and status.visibility in ('public', 'unlisted')
  group by 1, 2, 3`;

/** Adds the uses of every hashtag in statuses that were not counted. */
export async function addDailyUses({ db }: Transaction, range: TagRange): Promise<void> {
  await sql`
    with counted as (${selectUses(range)})
    insert into tag_daily_uses (tag_id, dimension, day, part, uses)
    select tag_id, dimension, ${range.day}::date, part, uses from counted
    order by tag_id, dimension, part
    on conflict (tag_id, dimension, day, part) do update set uses = tag_daily_uses.uses + excluded.uses`.execute(db);
  await storeCountedTo({ db }, range.day, range.to);
}

/** Counts the uses of every hashtag on a day again, in the posts that count for its history: public and unlisted. */
export async function countDailyUses({ db }: Transaction, range: TagDay): Promise<void> {
  const { day, isOver } = range;
  await sql`
    with counted as materialized (${selectUses(range)}
    ), deleted as (
      delete from tag_daily_uses old
      where old.day = ${day}::date and not exists (
        select from counted where counted.tag_id = old.tag_id and counted.dimension = old.dimension
          and counted.part = old.part)
    )
    insert into tag_daily_uses (tag_id, dimension, day, part, uses)
    select tag_id, dimension, ${day}::date, part, uses from (
      select * from counted except select tag_id, dimension, part, uses from tag_daily_uses where day = ${day}::date
    ) changed
    order by tag_id, dimension, part
    on conflict (tag_id, dimension, day, part) do update set uses = excluded.uses`.execute(db);
  await storeCountedTo({ db }, day, isOver ? null : range.to);
}

/** `countedTo`: statuses of the day with smaller ids are counted; null: all of the day. */
const storeCountedTo = ({ db }: Pick<Transaction, 'db'>, day: string, countedTo: string | null): Promise<unknown> =>
  sql`
    insert into counted_tag_days (day, counted_to) values (${day}::date, ${countedTo}::bigint)
    on conflict (day) do update set counted_to = excluded.counted_to
      where counted_tag_days.counted_to is distinct from excluded.counted_to`.execute(db);
