import { sql } from 'kysely';
import type { App } from '../../platform/app.ts';
import type { Transaction } from '../../platform/write/transaction.ts';
import { invalidFieldsError, type HttpError } from '../../platform/http/http-errors.ts';
import { message } from '../../platform/i18n/message.ts';
import type { InviteId } from '../tables.ts';
import { isUnspent } from './find-invites.ts';

/** Counts a sign-up. Throws 422 if the invite was used up or has expired meanwhile. */
export async function countInviteUse({ db }: Transaction, app: App, id: InviteId): Promise<void> {
  const { rows } = await sql`
    update invites set uses = uses + 1
    where id = ${id} and ${isUnspent(app.clock.now())}
    returning id`.execute(db);
  if (rows.length === 0) throw invalidInviteError();
}

/** Returns the uses of deleted sign-ups to their invites: the accounts were never activated. */
export async function returnInviteUses({ db }: Transaction, ids: readonly (InviteId | null)[]): Promise<void> {
  const used = ids.filter((id) => id !== null);
  if (used.length === 0) return;
  await sql`
    with returned as materialized (
      select invites.id, (select count(*) from unnest(${used}::bigint[]) as use(id) where use.id = invites.id) as count
      from invites where invites.id = any(${used}::bigint[]) order by invites.id for no key update
    )
    update invites set uses = greatest(uses - returned.count, 0) from returned
    where invites.id = returned.id`.execute(db);
}

/** Returns the error for an invite that was used up or has expired: 422. */
export function invalidInviteError(): HttpError {
  const description = message('invites.isInvalid');
  return invalidFieldsError([{ field: 'invite_code', error: 'ERR_INVALID', description }]);
}
