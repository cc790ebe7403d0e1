import { sql } from 'kysely';
import type { App } from '../platform/app.ts';
import { isEqualInConstantTime } from '../platform/equal-in-constant-time.ts';
import { isId, type AccountId } from '../platform/ids.ts';
import { loadSigner } from '../site/index.ts';
import type { EmailSubscriptionId } from './tables.ts';

type Purpose = 'confirm' | 'unsubscribe';
const paths: Readonly<Record<Purpose, string>> = {
  confirm: '/email_subscriptions/confirmation',
  unsubscribe: '/unsubscribe',
};

interface Addressee {
  readonly id: EmailSubscriptionId;
  readonly email: string;
}

/** A subscription that a link names. */
export interface LinkedSubscription extends Addressee {
  readonly accountId: AccountId;
}

/**
 * Returns the URL in a mail that confirms or ends a subscription. It is signed and works as long as the subscription
 * exists.
 */
export async function subscriptionUrl(app: App, purpose: Purpose, subscription: Addressee): Promise<string> {
  const signature = (await loadLinkSigner(app))(purpose, subscription);
  return `${app.config.baseUrl}${paths[purpose]}?token=${subscription.id}-${signature}`;
}

/** Finds the subscription that the token of a URL names. Undefined if it is forged, or the subscription ended. */
export async function findByToken(app: App, purpose: Purpose, token: string): Promise<LinkedSubscription | undefined> {
  const [, id = '', signature = ''] = /^(\d{1,19})-([\w-]+)$/.exec(token) ?? [];
  if (!isId(id)) return undefined;
  const { rows } = await sql<LinkedSubscription>`
    select id, email, account_id as "accountId" from email_subscriptions where id = ${id}::bigint`.execute(app.db);
  const [row] = rows;
  if (row === undefined) return undefined;
  return isEqualInConstantTime(signature, (await loadLinkSigner(app))(purpose, row)) ? row : undefined;
}

async function loadLinkSigner(app: App): Promise<(purpose: Purpose, subscription: Addressee) => string> {
  const sign = await loadSigner(app, 'email-subscriptions');
  return (purpose, { id, email }) => sign(`${purpose} ${id} ${email}`);
}
