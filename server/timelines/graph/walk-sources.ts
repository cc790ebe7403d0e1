import { sql, type RawBuilder } from 'kysely';
import type { StatusId } from '../../platform/ids.ts';

export interface EntryRow {
  readonly id: StatusId;
  readonly reblog_of_id: StatusId | null;
}

/** Sources of statuses that one statement merges in the order of their ids. */
export interface PostSources {
  /** Selects one row per source. */
  readonly sources: RawBuilder<unknown>;
  /** `from … where …` of the statuses `s` of a source `f`. */
  readonly posts: RawBuilder<unknown>;
  readonly count: RawBuilder<unknown>;
}

/**
 * Selects the first `count` entries of all sources from the new end (`desc`) or the old end (`asc`). One probe per source
 * finds its first entry. Only the sources with the first `count` of these can contribute, and nothing beyond the last of
 * them, so few other rows are read.
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
