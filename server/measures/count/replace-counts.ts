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
 * not written.
 */
export async function replaceCounts({ db }: Transaction, { kinds, day }: Slice, counted: RawBuilder<unknown>) {
  await sql`
    with every_count (kind, key, day, part, value) as (${counted}), counted as materialized (
      select kind, key, day, part, value from every_count where value <> 0
    ), deleted as (
      delete from daily_counts old
      where old.kind = any(${kinds}::text[]) and (${day ?? null}::date is null or old.day = ${day ?? null}::date)
        and not exists (
          select from counted where counted.kind = old.kind and counted.key = old.key and counted.day = old.day
            and counted.part = old.part)
    )
    insert into daily_counts (kind, key, day, part, value)
    select kind, key, day, part, value from counted
    order by kind, key, day, part
    on conflict (kind, key, day, part) do update set value = excluded.value
    where daily_counts.value <> excluded.value`.execute(db);
}
