import type { Transaction } from '../platform/write/transaction.ts';
import { unauthorized } from '../platform/http/http-errors.ts';
import type { TokenId } from '../platform/ids.ts';

/**
 * Keeps a token from being revoked until the commit, so that its revocation deletes what the transaction stores for it.
 * Throws 401 if it was revoked.
 */
export async function lockActiveToken({ db }: Transaction, tokenId: TokenId): Promise<void> {
  await db
    .selectFrom('oauth_tokens')
    .select('id')
    .where('id', '=', tokenId)
    .where('revoked_at', 'is', null)
    .forShare()
    .executeTakeFirstOrThrow(() => unauthorized('oauth.tokenRevoked'));
}
