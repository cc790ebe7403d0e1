import type { App } from '../../platform/app.ts';
import type { SignInProvider } from '../../platform/sign-in-providers.ts';
import { transaction } from '../../platform/write/transaction.ts';
import { endSessions } from '../sessions/end-sessions.ts';
import { writable } from '../tables.ts';
import { verifyLogoutToken } from './provider-client.ts';

/**
 * Ends the sessions that a logout token of a provider names: one by its id there, or all of a person that began with the
 * provider (OpenID Connect Back-Channel Logout). Returns false if the token is not valid. Throws ProviderError if the
 * provider does not answer.
 */
export async function endProviderSessions(app: App, provider: SignInProvider, token: string): Promise<boolean> {
  const logout = await verifyLogoutToken(app, provider, token);
  if (logout === undefined) return false;
  const { sessionId, subject } = logout;
  await transaction(app, async (tx) => {
    const sessions = writable(tx.db).deleteFrom('sessions').where('issuer', '=', provider.issuer);
    if (sessionId !== undefined) await endSessions(tx, sessions.where('issuer_session_id', '=', sessionId));
    else if (subject !== undefined) {
      const users = tx.db
        .selectFrom('identities')
        .select('user_id')
        .where('issuer', '=', provider.issuer)
        .where('subject', '=', subject);
      await endSessions(tx, sessions.where('user_id', 'in', users));
    }
  });
  return true;
}
