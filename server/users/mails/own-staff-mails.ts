import { sql } from 'kysely';
import type { App } from '../../platform/app.ts';
import { transaction } from '../../platform/write/transaction.ts';
import { notFound } from '../../platform/http/http-errors.ts';
import type { AccountId } from '../../platform/ids.ts';
import { hasPermission } from '../access/roles.ts';
import { updateUserSettings } from '../settings/user-settings.ts';
import type { StaffMailKind } from '../tables.ts';
import { staffMailPermissions } from './staff-mail.ts';
import { namesOf } from '../../platform/known-names.ts';

/** A kind of mail that a user gets as a member of the staff, unless it is turned off. */
export interface OwnStaffMail {
  readonly kind: StaffMailKind;
  readonly isOn: boolean;
}

/** Returns the kinds of mail that the role of a user entitles to; none for users who are not staff. */
export async function loadOwnStaffMails({ db }: App, accountId: AccountId): Promise<OwnStaffMail[]> {
  const { rows } = await sql<{ permissions: string; off: StaffMailKind[] }>`
    select roles.permissions::text, coalesce(users.settings -> 'staff_mails_off', '[]') as off
    from users join roles on roles.id = users.role_id
    where users.account_id = ${accountId}::bigint`.execute(db);
  const [row] = rows;
  if (row === undefined) return [];
  const viewer = { permissions: BigInt(row.permissions) };
  const kinds = namesOf(staffMailPermissions);
  return kinds
    .filter((kind) => hasPermission(viewer, staffMailPermissions[kind]))
    .map((kind) => ({ kind, isOn: !row.off.includes(kind) }));
}

/**
 * Turns on the named kinds of staff mail that the role of a user entitles to, and turns off the others of them. Other kinds
 * are on, so that a later role begins with its mails. Throws 404 for users who are not staff.
 */
export async function setOwnStaffMails(app: App, accountId: AccountId, on: readonly string[]): Promise<void> {
  const mails = await loadOwnStaffMails(app, accountId);
  if (mails.length === 0) throw notFound();
  const off = mails.map(({ kind }) => kind).filter((kind) => !on.includes(kind));
  await transaction(app, (tx) => updateUserSettings(tx, accountId, { staff_mails_off: off }));
}
