import { randomInt } from 'node:crypto';
import type { App } from '../../platform/app.ts';
import type { Transaction } from '../../platform/write/transaction.ts';
import { newId, type CollectionId, type UserId } from '../../platform/ids.ts';
import { writable } from '../tables.ts';

/** Letters and digits that cannot be mistaken for each other (limits.tsv, invite code). */
const codeCharacters = 'abcdefghijkmnopqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789';
const codeLength = 8;

/** What is stored of a new invite. */
export interface InviteValues {
  /** The user who invites. */
  readonly userId: UserId;
  /** Any number by default. */
  readonly maxUses?: number | undefined;
  /** Never by default. */
  readonly expiresInMs?: number | undefined;
  readonly comment?: string | undefined;
  /** Default false. */
  readonly autofollow?: boolean | undefined;
  readonly collectionId?: CollectionId | undefined;
}

/** Stores an invite and returns its code. The caller validates the values. */
export async function insertInvite({ db }: Transaction, app: App, values: InviteValues): Promise<string> {
  const { userId, maxUses, expiresInMs, comment, autofollow = false, collectionId } = values;
  const now = app.clock.now();
  const code = Array.from({ length: codeLength }, () => codeCharacters[randomInt(codeCharacters.length)]).join('');
  await writable(db)
    .insertInto('invites')
    .values({
      id: newId<'invite'>(now),
      code,
      user_id: userId,
      max_uses: maxUses ?? null,
      expires_at: expiresInMs === undefined ? null : new Date(now.getTime() + expiresInMs),
      comment: comment?.trim() || null,
      autofollow,
      collection_id: collectionId ?? null,
      created_at: now,
    })
    .execute();
  return code;
}
