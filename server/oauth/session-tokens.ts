import { inTransaction } from '../platform/write/reactions.ts';
import type { Subscription } from '../platform/write/subscriptions.ts';
import { newId } from '../platform/ids.ts';
import { sessionStarted } from '../users/index.ts';
import { writable } from './tables.ts';

/** The user can do everything in the browser. */
const scopes = 'read write follow push profile admin:read admin:write';

/**
 * Inserts a token for each new browser session, by which it calls the API. Its secret is that of the session, and it is deleted
 * with the session.
 */
export const insertSessionTokens: Subscription = inTransaction([sessionStarted], {
  async run({ db }, { clock }, { sessionId }) {
    const now = clock.now();
    const id = newId<'token'>(now);
    await writable(db)
      .insertInto('oauth_tokens')
      .columns(['id', 'token_hash', 'application_id', 'user_id', 'scopes', 'created_at', 'last_used_at', 'session_id'])
      .expression((eb) =>
        eb
          .selectFrom('sessions')
          .select((select) => [
            select.val(id).as('id'),
            'token_hash',
            select.val(null).as('application_id'),
            'user_id',
            select.val(scopes).as('scopes'),
            'created_at',
            'last_used_at',
            'sessions.id as session_id',
          ])
          .where('sessions.id', '=', sessionId),
      )
      .execute();
  },
});
