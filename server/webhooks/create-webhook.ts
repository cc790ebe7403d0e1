import { sql } from 'kysely';
import { lockActiveToken } from '../oauth/index.ts';
import type { App } from '../platform/app.ts';
import { transaction, type Transaction } from '../platform/write/transaction.ts';
import { validationFailed } from '../platform/http/http-errors.ts';
import { newId, type AccountId, type TokenId } from '../platform/ids.ts';
import { webhooksChanged } from './events.ts';
import { presentWebhook, shownColumns } from './find-webhooks.ts';
import { parseWebhook } from './parse-webhook.ts';
import type { CredentialWebhook, WebhookInput } from './schema.ts';
import { formatSecret, newSigningKey } from './sign-message.ts';
import { writable } from './tables.ts';

/** Webhooks of one account, with those of all its apps. */
export const maxWebhooks = 10;

interface Creator {
  readonly accountId: AccountId;
  readonly tokenId: TokenId;
  readonly scopes: ReadonlySet<string>;
}

/**
 * Creates a webhook that belongs to an access token, and returns it with its secret. Throws 422 for invalid settings and
 * above `maxWebhooks`, 403 if the token lacks the scope of an event.
 */
export async function createWebhook(
  app: App,
  { accountId, tokenId, scopes }: Creator,
  input: WebhookInput,
): Promise<CredentialWebhook> {
  const { url, events } = parseWebhook(app, scopes, input);
  const now = app.clock.now();
  const secret = newSigningKey();
  return transaction(app, async (tx) => {
    // A revocation that runs at the same time waits, and deletes the new webhook.
    await lockActiveToken(tx, tokenId);
    await assertBelowLimit(tx, accountId);
    const row = await writable(tx.db)
      .insertInto('webhooks')
      .values({
        id: newId<'webhook'>(now),
        account_id: accountId,
        token_id: tokenId,
        url,
        events: [...events],
        secret,
        created_at: now,
        updated_at: now,
      })
      .returning(shownColumns)
      .executeTakeFirstOrThrow();
    tx.emit(webhooksChanged({ accountId }));
    return { ...presentWebhook(row), secret: formatSecret(secret) };
  });
}

async function assertBelowLimit({ db }: Transaction, accountId: AccountId): Promise<void> {
  // Serializes concurrent requests, so that they cannot exceed the limit together.
  await sql`select pg_advisory_xact_lock(hashtextextended(${`webhooks ${accountId}`}, 0))`.execute(db);
  const { count } = await db
    .selectFrom('webhooks')
    .select(({ fn }) => fn.countAll<string>().as('count'))
    .where('account_id', '=', accountId)
    .executeTakeFirstOrThrow();
  if (Number(count) >= maxWebhooks) throw validationFailed('webhooks.tooMany', { max: maxWebhooks });
}
