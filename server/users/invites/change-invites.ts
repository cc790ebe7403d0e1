import { sql } from 'kysely';
import type { App } from '../../platform/app.ts';
import { transaction, type Transaction } from '../../platform/database/transaction.ts';
import { invalidFieldsError, notFound, type FieldError } from '../../platform/http/http-errors.ts';
import { message } from '../../platform/i18n/message.ts';
import type { UserId } from '../../platform/ids.ts';
import { exceedsLimit } from '../../text/index.ts';
import { insertInvite } from './insert-invite.ts';

/** See limits.tsv, invite comment. */
const maxCommentLength = 420;
const maxMaxUses = 1_000;
const maxDays = 365;
const dayMs = 86_400_000;

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
  const expiresInMs = days === undefined ? undefined : days * dayMs;
  return transaction(app, async (tx) =>
    insertInvite(tx, app, { userId: await requireUserId(tx, username), maxUses, expiresInMs, comment }),
  );
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
