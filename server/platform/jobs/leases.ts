import { sql, type RawBuilder } from 'kysely';
import type { Tables } from '../database/tables.ts';

/**
 * A claim on a stored row. `attempts` changes with every claim, so that holder and attempts together name one claim: a
 * result is recorded only while the row still carries both.
 */
export interface Lease {
  readonly id: string;
  /** The process that claimed it. */
  readonly holder: string;
  /** Number of claims so far, this one included. */
  readonly attempts: number;
}

/** The leases as rows of (id, lease_holder, attempts), for statements that record results. */
export function leaseRows(leases: readonly Lease[]): RawBuilder<unknown> {
  return sql`select * from unnest(
    ${leases.map(({ id }) => id)}::bigint[], ${leases.map(({ holder }) => holder)}::uuid[],
    ${leases.map(({ attempts }) => attempts)}::int[]) as lease(id, lease_holder, attempts)`;
}

/** Condition of those statements: the row of `table` still carries the lease of the row `lease`. */
export function isStillLeased(table: keyof Tables): RawBuilder<boolean> {
  const row = sql.table(table);
  return sql<boolean>`${row}.id = lease.id and ${row}.lease_holder = lease.lease_holder
    and ${row}.attempts = lease.attempts`;
}

/** An error as `last_error` holds it. PostgreSQL stores no NUL. */
export function errorText(error: unknown): string {
  return String(error).replaceAll('\0', '').slice(0, 1000);
}
