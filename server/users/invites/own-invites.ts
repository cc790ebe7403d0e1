import { sql } from 'kysely';
import type { App } from '../../platform/app.ts';
import { transaction, type Transaction } from '../../platform/write/transaction.ts';
import { invalidFieldsError, notFound, validationFailed, type FieldError } from '../../platform/http/http-errors.ts';
import { message } from '../../platform/i18n/message.ts';
import type { CollectionId, UserId } from '../../platform/ids.ts';
import { writable, type InviteId } from '../tables.ts';
import { isUnspent } from './find-invites.ts';
import { insertInvite, type InviteValues } from './insert-invite.ts';

/** The choices of users (reference/limits.tsv: invite max uses). */
export const maxUsesChoices: readonly number[] = [1, 5, 10, 25, 50, 100];
const hourSeconds = 3_600;
const daySeconds = 24 * hourSeconds;
/** Seconds until an invite expires, as in Mastodon. */
export const expiryChoices: readonly number[] = [
  hourSeconds / 2,
  hourSeconds,
  6 * hourSeconds,
  12 * hourSeconds,
  daySeconds,
  7 * daySeconds,
];

/** Usable invites that a user has at the same time. */
export const maxUsableInvites = 100;

/** What a user sets of an invite. */
export interface OwnInviteInput {
  /** Any number by default. */
  readonly maxUses?: number | undefined;
  /** Never by default. */
  readonly expiresInSeconds?: number | undefined;
  /** Whether those who sign up follow the user. Default false. */
  readonly autofollow?: boolean | undefined;
  /** A collection of the user, which the caller checks. */
  readonly collectionId?: CollectionId | undefined;
  /** Sent by a form: submitted twice within a minute, it creates one invite. Default false. */
  readonly isForm?: boolean;
}

/**
 * Creates an invite of a user, who needs the permission to invite. Returns its code. Throws 422 for a value that is no
 * choice, and above `maxUsableInvites`.
 */
export async function createOwnInvite(
  app: App,
  userId: UserId,
  { maxUses, expiresInSeconds, autofollow, collectionId, isForm = false }: OwnInviteInput,
): Promise<string> {
  const errors = [
    ...choiceErrors('max_uses', maxUses, maxUsesChoices),
    ...choiceErrors('expires_in', expiresInSeconds, expiryChoices),
  ];
  if (errors.length > 0) throw invalidFieldsError(errors);
  return transaction(app, async (tx) => {
    // Serializes concurrent requests, so that they cannot exceed the limit together.
    await tx.db.selectFrom('users').select('id').where('id', '=', userId).forNoKeyUpdate().execute();
    const expiresInMs = expiresInSeconds === undefined ? undefined : expiresInSeconds * 1_000;
    const values = { userId, maxUses, expiresInMs, autofollow, collectionId };
    const before = isForm ? await findSameInvite(tx, app, values) : undefined;
    if (before !== undefined) return before;
    await assertBelowLimit(tx, app, userId);
    return insertInvite(tx, app, values);
  });
}

/**
 * Revokes an invite of a user: nobody can sign up with it any more. Deletes it if nobody did. Throws 404 if it belongs to
 * another user.
 */
export async function revokeOwnInvite(app: App, userId: UserId, id: InviteId): Promise<void> {
  const now = app.clock.now();
  await transaction(app, async ({ db }) => {
    const invite = await db
      .selectFrom('invites')
      .select(['uses', 'expires_at'])
      .where('id', '=', id)
      .where('user_id', '=', userId)
      .forUpdate()
      .executeTakeFirstOrThrow(() => notFound());
    if (invite.uses === 0) await writable(db).deleteFrom('invites').where('id', '=', id).execute();
    else if (invite.expires_at === null || invite.expires_at > now)
      await writable(db).updateTable('invites').set({ expires_at: now }).where('id', '=', id).execute();
  });
}

const repeatMs = 60_000;

/** Finds the code of an unused invite with the same values that the user created in the last minute. */
async function findSameInvite({ db }: Transaction, app: App, values: InviteValues): Promise<string | undefined> {
  const { userId, maxUses, expiresInMs, autofollow = false, collectionId } = values;
  const rows = await db
    .selectFrom('invites')
    .select(['code', 'max_uses', 'expires_at', 'created_at', 'collection_id'])
    .where('user_id', '=', userId)
    .where('autofollow', '=', autofollow)
    .where('uses', '=', 0)
    .where('created_at', '>', new Date(app.clock.now().getTime() - repeatMs))
    .execute();
  return rows.find(
    (row) =>
      row.max_uses === (maxUses ?? null) &&
      row.collection_id === (collectionId ?? null) &&
      (row.expires_at && row.expires_at.getTime() - row.created_at.getTime()) === (expiresInMs ?? null),
  )?.code;
}

async function assertBelowLimit({ db }: Transaction, app: App, userId: UserId): Promise<void> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from invites
    where user_id = ${userId}::bigint and ${isUnspent(app.clock.now())}`.execute(db);
  const count = rows[0]?.count ?? 0;
  if (count >= maxUsableInvites) throw validationFailed('invites.tooMany', { max: maxUsableInvites });
}

function choiceErrors(field: string, value: number | undefined, choices: readonly number[]): FieldError[] {
  if (value === undefined || choices.includes(value)) return [];
  return [
    { field, error: 'ERR_INCLUSION', description: message('problems.notAmong', { choices: choices.join(', ') }) },
  ];
}
