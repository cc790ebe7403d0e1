import { sql, type Selectable } from 'kysely';
import type { App } from '../../platform/app.ts';
import { transaction, type Transaction } from '../../platform/write/transaction.ts';
import { invalidFieldsError, notFound, type FieldError } from '../../platform/http/http-errors.ts';
import { message } from '../../platform/i18n/message.ts';
import type { AccountId, UserId } from '../../platform/ids.ts';
import { recordStaffAction, recordStaffUpdate } from '../../site/audit/index.ts';
import { staffAccountId, type Staff } from '../../site/index.ts';
import { exceedsLimit } from '../../text/index.ts';
import { assertOutranks } from '../access/rank.ts';
import { writable, type UserTables } from '../tables.ts';
import { insertInvite } from './insert-invite.ts';

/** See limits.tsv, invite comment. */
const maxCommentLength = 420;
const maxMaxUses = 1_000;
/** A year. */
const maxSeconds = 365 * 86_400;

export interface NewInvite {
  /** The local user who invites. Default: the staff member. */
  readonly username?: string | undefined;
  /** Any number by default. */
  readonly maxUses?: number | undefined;
  /** Never by default. */
  readonly expiresInSeconds?: number | undefined;
  readonly comment?: string | undefined;
}

/**
 * Creates an invite. Returns its code. Throws 404 if there is no such user, 403 if the role of another user is not below
 * that of the staff member, because an invite may spare its guests the approval; 422 if a value is out of range.
 */
export async function createInvite(
  app: App,
  staff: Staff,
  { username, maxUses, expiresInSeconds, comment }: NewInvite,
): Promise<string> {
  const errors = [
    ...rangeErrors('max_uses', maxUses, maxMaxUses),
    ...rangeErrors('expires_in', expiresInSeconds, maxSeconds),
    ...(exceedsLimit(comment ?? '', maxCommentLength) ? [tooLongError('comment', maxCommentLength)] : []),
  ];
  if (errors.length > 0) throw invalidFieldsError(errors);
  const expiresInMs = expiresInSeconds === undefined ? undefined : expiresInSeconds * 1_000;
  return transaction(app, async (tx) => {
    const { id: userId, accountId } = await requireInviter(tx, staff, username);
    if (accountId !== staff) await assertOutranks(tx, staff, accountId);
    const code = await insertInvite(tx, app, { userId, maxUses, expiresInMs, comment });
    const invite = await lockInvite(tx, code);
    recordStaffAction(tx, staff, { ...auditTarget(invite), verb: 'create', after: inviteDetails(invite) });
    return code;
  });
}

/**
 * Expires an invite now. Returns false if it had expired already. Throws 404 if there is none with this code, 403 if it is of
 * another user who is not below the staff member.
 */
export function expireInvite(app: App, staff: Staff, code: string): Promise<boolean> {
  const now = app.clock.now();
  return transaction(app, async (tx) => {
    const invite = await lockInvite(tx, code);
    if (invite.account_id !== staff) await assertOutranks(tx, staff, invite.account_id);
    if (invite.expires_at !== null && invite.expires_at <= now) return false;
    await writable(tx.db).updateTable('invites').set({ expires_at: now }).where('id', '=', invite.id).execute();
    recordStaffUpdate(tx, staff, {
      ...auditTarget(invite),
      verb: 'expire',
      before: inviteDetails(invite),
      after: inviteDetails({ ...invite, expires_at: now }),
    });
    return true;
  });
}

type InviteRow = Pick<Selectable<UserTables['invites']>, 'id' | 'max_uses' | 'expires_at' | 'comment'> & {
  readonly username: string;
  readonly account_id: AccountId;
};

/** Locks and returns an invite. Throws 404 if there is none with this code. */
function lockInvite({ db }: Transaction, code: string): Promise<InviteRow> {
  return db
    .selectFrom('invites')
    .innerJoin('users', 'users.id', 'invites.user_id')
    .innerJoin('accounts', 'accounts.id', 'users.account_id')
    .select(['invites.id', 'expires_at', 'max_uses', 'comment', 'accounts.username', 'users.account_id'])
    .where('code', '=', code)
    .forUpdate('invites')
    .executeTakeFirstOrThrow(() => notFound());
}

/** The code is a secret, so the log names the invite by its user. */
const auditTarget = ({ id, username }: InviteRow) => ({ target: 'invite', id, label: username }) as const;

const inviteDetails = ({ max_uses, expires_at: expiresAt, comment }: InviteRow) => ({
  max_uses,
  expires_at: expiresAt?.toISOString() ?? null,
  comment,
});

/** Returns the user with a name, or without one the staff member. Throws 404 if there is none. */
async function requireInviter(
  { db }: Transaction,
  staff: Staff,
  username: string | undefined,
): Promise<{ readonly id: UserId; readonly accountId: AccountId }> {
  const accountId = staffAccountId(staff);
  return db
    .selectFrom('users')
    .innerJoin('accounts', 'accounts.id', 'users.account_id')
    .select(['users.id', 'users.account_id as accountId'])
    .where(
      username === undefined
        ? sql<boolean>`accounts.id = ${accountId}`
        : sql<boolean>`lower(accounts.username) = ${username.replace(/^@/, '').toLowerCase()} and accounts.domain is null`,
    )
    .executeTakeFirstOrThrow(() => notFound());
}

function rangeErrors(field: string, value: number | undefined, max: number): FieldError[] {
  if (value === undefined || (Number.isInteger(value) && value >= 1 && value <= max)) return [];
  return [{ field, error: 'ERR_INCLUSION', description: message('invites.outOfRange', { max }) }];
}

const tooLongError = (field: string, max: number): FieldError => ({
  field,
  error: 'ERR_TOO_LONG',
  description: message('problems.tooLong', { max }),
});
