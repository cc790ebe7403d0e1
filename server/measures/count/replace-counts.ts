import { sql, type RawBuilder } from 'kysely';
import type { Transaction } from '../../platform/write/transaction.ts';
import type { Day } from '../days.ts';
import type { CountKind } from '../tables.ts';

/** A slice of `daily_counts`. */
interface Slice {
  readonly kinds: readonly CountKind[];
  /** Absent: all days. */
  readonly day?: Day;
}

/**
 * Replaces a slice of the counts by what `counted` selects: kind, key, day, part and value. Rows that did not change are
 * neither written nor locked.
 */
export async function replaceCounts({ db }: Transaction, { kinds, day }: Slice, counted: RawBuilder<unknown>) {
  const isInSlice = sql`old.kind = any(${kinds}::text[]) and ${day === undefined ? sql`true` : sql`old.day = ${day}::date`}`;
  await sql`
    with every_count (kind, key, day, part, value) as (${counted}), counted as materialized (
      select kind, key, day, part, value from every_count where value <> 0
    ), deleted as (
      delete from daily_counts old
      where ${isInSlice} and not exists (
        select from counted where counted.kind = old.kind and counted.key = old.key and counted.day = old.day
          and counted.part = old.part)
    )
    insert into daily_counts (kind, key, day, part, value)
    select kind, key, day, part, value from (
      select * from counted except select kind, key, day, part, value from daily_counts old where ${isInSlice}
    ) changed
    order by kind, key, day, part
    on conflict (kind, key, day, part) do update set value = excluded.value`.execute(db);
}

/** Adds what `counted` selects, as above, to the counts. */
export async function addCounts({ db }: Transaction, counted: RawBuilder<unknown>): Promise<void> {
  await sql`
    with counted (kind, key, day, part, value) as (${counted})
    insert into daily_counts (kind, key, day, part, value)
    select kind, key, day, part, value from counted where value <> 0
    order by kind, key, day, part
    on conflict (kind, key, day, part) do update set value = daily_counts.value + excluded.value`.execute(db);
}
