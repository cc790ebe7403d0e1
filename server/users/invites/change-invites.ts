import { randomInt } from 'node:crypto';
import { sql } from 'kysely';
import type { App } from '../../platform/app.ts';
import { transaction, type Transaction } from '../../platform/database/transaction.ts';
import { invalidFieldsError, notFound, type FieldError, type HttpError } from '../../platform/http/http-errors.ts';
import { message } from '../../platform/i18n/message.ts';
import { newId, type UserId } from '../../platform/ids.ts';
import { exceedsLimit } from '../../text/index.ts';
import type { InviteId } from '../tables.ts';

/** See limits.tsv, invite comment. */
const maxCommentLength = 420;
const maxMaxUses = 1_000;
const maxDays = 365;
const dayMs = 86_400_000;

/** Letters and digits that cannot be mistaken for each other (limits.tsv, invite code). */
const codeCharacters = 'abcdefghijkmnopqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789';
const codeLength = 8;

export interface NewInvite {
  /** The local user who invites. */
  readonly username: string;
  /** Any number by default. */
  readonly maxUses?: number | undefined;
  /** Days until it expires; never by default. */
  readonly days?: number | undefined;
  readonly comment?: string | undefined;
}

/** Creates an invite. Returns its code. Throws 404 if there is no such user, 422 if a value is out of range. */
export async function createInvite(app: App, { username, maxUses, days, comment }: NewInvite): Promise<string> {
  const errors = [
    ...rangeErrors('max_uses', maxUses, maxMaxUses),
    ...rangeErrors('days', days, maxDays),
    ...(exceedsLimit(comment ?? '', maxCommentLength) ? [tooLongError('comment', maxCommentLength)] : []),
  ];
  if (errors.length > 0) throw invalidFieldsError(errors);
  const now = app.clock.now();
  const code = Array.from({ length: codeLength }, () => codeCharacters[randomInt(codeCharacters.length)]).join('');
  await transaction(app, async (tx) => {
    await tx.db
      .insertInto('invites')
      .values({
        id: newId<'invite'>(now),
        code,
        user_id: await requireUserId(tx, username),
        max_uses: maxUses ?? null,
        expires_at: days === undefined ? null : new Date(now.getTime() + days * dayMs),
        comment: comment?.trim() || null,
        created_at: now,
      })
      .execute();
  });
  return code;
}

/** Expires an invite now. Returns false if it had expired already. Throws 404 if there is none with this code. */
export function expireInvite(app: App, code: string): Promise<boolean> {
  const now = app.clock.now();
  return transaction(app, async ({ db }) => {
    const invite = await db
      .selectFrom('invites')
      .select(['id', 'expires_at'])
      .where('code', '=', code)
      .forUpdate()
      .executeTakeFirst();
    if (invite === undefined) throw notFound();
    if (invite.expires_at !== null && invite.expires_at <= now) return false;
    await db.updateTable('invites').set({ expires_at: now }).where('id', '=', invite.id).execute();
    return true;
  });
}

/** Counts a sign-up. Throws 422 if the invite was used up or has expired meanwhile. */
export async function countInviteUse({ db }: Transaction, app: App, id: InviteId): Promise<void> {
  const { rows } = await sql`
    update invites set uses = uses + 1
    where id = ${id} and (max_uses is null or uses < max_uses)
      and (expires_at is null or expires_at > ${app.clock.now()})
    returning id`.execute(db);
  if (rows.length === 0) throw invalidInviteError();
}

/** Returns the error for an invite that was used up or has expired: 422. */
export function invalidInviteError(): HttpError {
  const description = message('invites.isInvalid');
  return invalidFieldsError([{ field: 'invite_code', error: 'ERR_INVALID', description }]);
}

async function requireUserId({ db }: Transaction, username: string): Promise<UserId> {
  const user = await db
    .selectFrom('users')
    .innerJoin('accounts', 'accounts.id', 'users.account_id')
    .select('users.id')
    .where(sql<boolean>`lower(accounts.username) = ${username.toLowerCase()} and accounts.domain is null`)
    .executeTakeFirst();
  if (user === undefined) throw notFound();
  return user.id;
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
