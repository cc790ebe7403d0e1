import { sql, type RawBuilder } from 'kysely';
import type { StatusId } from '../platform/ids.ts';

export interface EntryRow {
  readonly id: StatusId;
  readonly reblog_of_id: StatusId | null;
}

/** Where posts come from that are read together in the order of their ids. */
export interface PostSources {
  /** One row for each source. */
  readonly sources: RawBuilder<unknown>;
  /** `from … where …` of the posts `s` that the source `f` has. */
  readonly posts: RawBuilder<unknown>;
  readonly count: RawBuilder<unknown>;
}

/**
 * The first `count` entries of all sources from the new end (`desc`) or the old end (`asc`). Only the sources whose first
 * entries are the first `count` of all can have a part in it, and nothing beyond the last of these first entries: so one
 * probe for each source finds which they are, and few rows are read besides.
 */
export function walkSources(direction: 'asc' | 'desc', { sources, posts, count }: PostSources): RawBuilder<EntryRow> {
  const order = sql.raw(direction);
  const bound =
    direction === 'desc'
      ? sql`s.id >= (select case when count(*) < ${count} then 0 else min(head) end from heads)`
      : sql`s.id <= (select case when count(*) < ${count} then 9223372036854775807 else max(head) end from heads)`;
  return sql<EntryRow>`
    with sources as (${sources}), heads as materialized (
      select f.*, first.id as head from sources f
      cross join lateral (select s.id ${posts} order by s.id ${order} limit 1) first
      order by first.id ${order} limit ${count}
    )
    select entry.id, entry.reblog_of_id from heads f
    cross join lateral (
      select s.id, s.reblog_of_id ${posts} and ${bound} order by s.id ${order} limit ${count}
    ) entry
    order by entry.id ${order} limit ${count}`;
}
