import { sql } from 'kysely';
import { Type } from 'typebox';
import type { App } from '../platform/app.ts';
import { transaction } from '../platform/write/transaction.ts';
import type { Locale } from '../platform/i18n/locales.ts';
import type { AccountId } from '../platform/ids.ts';
import { idSchema } from '../platform/id-schema.ts';
import { defineJob } from '../platform/work/define-job.ts';
import { isRejectedRecipient } from '../platform/mail.ts';
import { loadMailedPosts } from './load-mailed-posts.ts';
import { buildPostsMail } from './posts-mail.ts';
import { isSubscribable } from './subscribable.ts';
import { writable, type EmailSubscriptionId } from './tables.ts';

/** A subscription whose address was rejected for this time, without a success, is deleted. */
const maxFailingMs = 7 * 86_400_000;

interface Subscription {
  readonly id: EmailSubscriptionId;
  readonly accountId: AccountId;
  readonly email: string;
  readonly locale: Locale;
  readonly failingSince: Date | null;
}

/**
 * Mails new posts to one subscriber. Checks everything again: the subscription, the account, and that the posts are
 * still public. A mail that the mail server rejects is not retried.
 */
export const sendPosts = defineJob(
  'email_subscription.send_posts',
  Type.Object({ subscriptionId: idSchema<'email-subscription'>(), statusIds: Type.Array(idSchema<'status'>()) }),
  async (app, { subscriptionId, statusIds }) => {
    const subscription = await findConfirmed(app, subscriptionId);
    if (subscription === undefined || !(await isSubscribable(app, subscription.accountId))) return;
    const posts = await loadMailedPosts(app, subscription.accountId, statusIds);
    if (posts.length === 0) return;
    const mail = await buildPostsMail(app, subscription, posts);
    if (mail === undefined) return;
    try {
      await app.mail.send(mail);
    } catch (error) {
      if (!isRejectedRecipient(error)) throw error;
      await recordRejection(app, subscription);
      return;
    }
    if (subscription.failingSince !== null) await setFailingSince(app, subscription.id, null);
  },
  'bulk_mail',
);

async function findConfirmed({ db }: App, id: EmailSubscriptionId): Promise<Subscription | undefined> {
  const { rows } = await sql<Subscription>`
    select id, account_id as "accountId", email, locale, failing_since as "failingSince"
    from email_subscriptions where id = ${id}::bigint and confirmed_at is not null`.execute(db);
  return rows[0];
}

async function recordRejection(app: App, { id, failingSince }: Subscription): Promise<void> {
  const now = app.clock.now();
  if (failingSince === null) return setFailingSince(app, id, now);
  if (now.getTime() - failingSince.getTime() < maxFailingMs) return;
  await transaction(app, async ({ db }) => {
    await writable(db).deleteFrom('email_subscriptions').where('id', '=', id).execute();
  });
}

const setFailingSince = (app: App, id: EmailSubscriptionId, date: Date | null): Promise<void> =>
  transaction(app, async ({ db }) => {
    await writable(db).updateTable('email_subscriptions').set({ failing_since: date }).where('id', '=', id).execute();
  });
