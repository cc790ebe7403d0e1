import { sql, type RawBuilder } from 'kysely';
import type { Tables } from '../database/tables.ts';

/**
 * A claim on a stored row. `attempts` changes with every claim, so holder and attempts together identify one claim. A
 * result is recorded only while the row still has both.
 */
export interface Lease {
  readonly id: string;
  /** Id of the process that claimed it. */
  readonly holder: string;
  /** Number of claims so far, including this one. */
  readonly attempts: number;
}

/** Returns leases as rows of (id, lease_holder, attempts), for statements that record results. */
export function leaseRows(leases: readonly Lease[]): RawBuilder<unknown> {
  return sql`select * from unnest(
    ${leases.map(({ id }) => id)}::bigint[], ${leases.map(({ holder }) => holder)}::uuid[],
    ${leases.map(({ attempts }) => attempts)}::int[]) as lease(id, lease_holder, attempts)`;
}

/** Returns the condition that the row of `table` still has the lease of the row `lease`. */
export function isStillLeased(table: keyof Tables): RawBuilder<boolean> {
  const row = sql.table(table);
  return sql<boolean>`${row}.id = lease.id and ${row}.lease_holder = lease.lease_holder
    and ${row}.attempts = lease.attempts`;
}

/** Formats an error for `last_error`. PostgreSQL cannot store NUL. */
export function errorText(error: unknown): string {
  return String(error).replaceAll('\0', '').slice(0, 1000);
}
