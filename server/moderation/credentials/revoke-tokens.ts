import { revokeTokens } from '../../oauth/index.ts';
import type { App } from '../../platform/app.ts';
import { transaction } from '../../platform/write/transaction.ts';
import type { AccountId, TokenId } from '../../platform/ids.ts';
import { recordStaffAction } from '../../site/audit/index.ts';
import type { Staff } from '../../site/index.ts';
import { lockTarget } from './change-credentials.ts';

/**
 * Revokes one or all tokens of apps for a user, with their streams and push subscriptions. Returns how many there were. Throws like
 * `resetPasswordAsStaff`.
 */
export function revokeTokensAsStaff(
  app: App,
  staff: Staff,
  { accountId, tokenId }: { readonly accountId: AccountId; readonly tokenId?: TokenId | undefined },
): Promise<number> {
  return transaction(app, async (tx) => {
    const user = await lockTarget(tx, staff, accountId);
    let valid = tx.db
      .selectFrom('oauth_tokens')
      .select((eb) => eb.fn.countAll<string>().as('tokens'))
      .where('user_id', '=', user.id)
      .where('revoked_at', 'is', null)
      .where('session_id', 'is', null);
    if (tokenId !== undefined) valid = valid.where('id', '=', tokenId);
    const tokens = Number((await valid.executeTakeFirstOrThrow()).tokens);
    if (tokens === 0) return 0;
    await revokeTokens(tx, { userId: user.id, ...(tokenId !== undefined && { tokenId }) });
    recordStaffAction(tx, staff, {
      target: 'user',
      verb: 'revoke_tokens',
      id: user.id,
      label: user.username,
      before: { tokens },
    });
    return tokens;
  });
}
