import { sql } from 'kysely';
import type { Transaction } from '../platform/write/transaction.ts';
import type { ApplicationId, TokenId, UserId } from '../platform/ids.ts';
import { tokensRevoked } from './events.ts';
import { writable } from './tables.ts';

/**
 * Revokes all tokens of apps that match every given id, and deletes the codes for such tokens. They are invalid in every
 * process right after the commit. No-op without an id. Tokens of browser sessions end with their sessions.
 */
export async function revokeTokens(
  { db, emit }: Transaction,
  which: { readonly userId?: UserId; readonly applicationId?: ApplicationId; readonly tokenId?: TokenId },
): Promise<void> {
  const { userId, applicationId, tokenId } = which;
  if (userId === undefined && applicationId === undefined && tokenId === undefined) return;
  let tokens = writable(db)
    .updateTable('oauth_tokens')
    .set({ revoked_at: sql`now()` })
    .where('revoked_at', 'is', null)
    .where('session_id', 'is', null);
  let grants = writable(db).deleteFrom('oauth_grants').where('used_at', 'is', null);
  let deviceRequests = writable(db).deleteFrom('oauth_device_requests');
  if (userId !== undefined) {
    tokens = tokens.where('user_id', '=', userId);
    grants = grants.where('user_id', '=', userId);
    deviceRequests = deviceRequests.where('user_id', '=', userId);
  }
  if (applicationId !== undefined) {
    tokens = tokens.where('application_id', '=', applicationId);
    grants = grants.where('application_id', '=', applicationId);
    deviceRequests = deviceRequests.where('application_id', '=', applicationId);
  }
  if (tokenId !== undefined) tokens = tokens.where('id', '=', tokenId);
  // Codes first: this waits for a code that is being exchanged, so that its new token is revoked too.
  if (tokenId === undefined) {
    await grants.execute();
    await deviceRequests.execute();
  }
  await tokens.execute();
  emit(tokensRevoked(which));
}
