import { ECDH } from 'node:crypto';
import { sql } from 'kysely';
import { lockActiveToken } from '../oauth/index.ts';
import type { App } from '../platform/app.ts';
import { transaction, type Transaction } from '../platform/write/transaction.ts';
import { invalidFieldsError, unauthorized, type FieldError } from '../platform/http/http-errors.ts';
import { message, type Message } from '../platform/i18n/message.ts';
import { isAllowedUrl } from '../platform/outgoing/allowed-url.ts';
import type { AccountId } from '../platform/ids.ts';
import { pushSubscriptionChanged } from './events.ts';
import { holderColumns, type PushHolder } from './holder.ts';
import { presentSubscription, shownColumns } from './require-subscription.ts';
import type { PushSubscriptionInput, WebPushSubscription } from './schema.ts';
import { sealToken } from './seal-token.ts';
import { writable } from './tables.ts';
import { toStoredData } from './update-subscription.ts';

/** Subscriptions of one account. A new one deletes those that were not changed for the longest time. */
export const maxSubscriptions = 50;
const maxEndpointLength = 2_000;
const authBytes = 16;
const pointBytes = 65;

interface Subscriber {
  readonly accountId: AccountId;
  readonly holder: PushHolder;
  /** The access token of the holder; undefined if it was not in the header of the request. */
  readonly token?: string | undefined;
}

/**
 * Creates the push subscription of an access token or a browser, or replaces it. Throws 422 for an invalid endpoint or
 * key.
 */
export async function createSubscription(
  app: App,
  { accountId, holder, token }: Subscriber,
  input: PushSubscriptionInput,
): Promise<WebPushSubscription> {
  const now = app.clock.now();
  const row = {
    ...parseSubscription(app, input.subscription),
    ...toStoredData(input),
    standard: input.subscription.standard ?? input.data?.standard ?? false,
    sealed_token: await seal(app, holder, token),
    failing_since: null,
    updated_at: now,
  };
  const created = await transaction(app, async (tx) => {
    await lockHolder(tx, holder);
    const subscription = await writable(tx.db)
      .insertInto('push_subscriptions')
      .values({ ...holderColumns(holder), account_id: accountId, created_at: now, ...row })
      .onConflict((conflict) => conflict.column('tokenId' in holder ? 'token_id' : 'session_id').doUpdateSet(row))
      .returning(shownColumns)
      .executeTakeFirst();
    await deleteSurplus(tx, accountId);
    tx.emit(pushSubscriptionChanged({ accountId }));
    return subscription;
  });
  return presentSubscription(app, created);
}

async function seal(app: App, holder: PushHolder, token: string | undefined): Promise<Buffer | null> {
  if (token === undefined || !('tokenId' in holder)) return null;
  return (await sealToken(app, holder.tokenId, token)) ?? null;
}

/** Keeps the holder from being revoked until the commit, so that its revocation deletes the new subscription. */
async function lockHolder(tx: Transaction, holder: PushHolder): Promise<void> {
  if ('tokenId' in holder) return lockActiveToken(tx, holder.tokenId);
  const { sessionId } = holder;
  await tx.db
    .selectFrom('sessions')
    .select('id')
    .where('id', '=', sessionId)
    .forShare()
    .executeTakeFirstOrThrow(() => unauthorized('http.requiresUser'));
}

async function deleteSurplus({ db }: Transaction, accountId: AccountId): Promise<void> {
  await sql`delete from push_subscriptions where id in (
    select id from push_subscriptions where account_id = ${accountId}
    order by updated_at desc, id desc offset ${maxSubscriptions})`.execute(db);
}

function parseSubscription(app: App, { endpoint = '', keys = {} }: PushSubscriptionInput['subscription']) {
  const p256dh = decodeKey(keys.p256dh);
  const auth = decodeKey(keys.auth);
  const errors = [
    ...(isEndpoint(app, endpoint) ? [] : [describeError('endpoint', endpoint, message('problems.notEndpoint'))]),
    ...(isPoint(p256dh) ? [] : [describeError('p256dh', keys.p256dh, message('problems.notPublicKey'))]),
    ...(auth.length === authBytes
      ? []
      : [describeError('auth', keys.auth, message('problems.notSecret', { bytes: authBytes }))]),
  ];
  if (errors.length > 0) throw invalidFieldsError(errors);
  return { endpoint, p256dh, auth };
}

const describeError = (field: string, value: string | undefined, description: Message): FieldError =>
  value === undefined || value.trim() === ''
    ? { field, error: 'ERR_BLANK', description: message('problems.blank') }
    : { field, error: 'ERR_INVALID', description };

/** Whether messages may be sent to this address. What its host resolves to is checked when they are sent. */
const isEndpoint = (app: App, text: string): boolean =>
  text.length <= maxEndpointLength && isAllowedUrl(app.config, text);

/** Decodes base64 of either alphabet, with or without padding. */
const decodeKey = (text = ''): Buffer => Buffer.from(text, 'base64url');

function isPoint(key: Buffer): boolean {
  if (key.length !== pointBytes) return false;
  try {
    ECDH.convertKey(key, 'prime256v1');
    return true;
  } catch {
    return false;
  }
}
