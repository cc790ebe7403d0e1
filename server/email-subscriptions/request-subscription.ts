import { sql } from 'kysely';
import { Type } from 'typebox';
import type { App } from '../platform/app.ts';
import { transaction } from '../platform/write/transaction.ts';
import { invalidFieldsError, tooManyRequests } from '../platform/http/http-errors.ts';
import type { Locale } from '../platform/i18n/locales.ts';
import { newId, type AccountId } from '../platform/ids.ts';
import { idSchema } from '../platform/id-schema.ts';
import { defineJob } from '../platform/work/define-job.ts';
import { isRejectedRecipient } from '../platform/mail.ts';
import { emailErrors, normalizeEmail } from '../users/sign-up/index.ts';
import { buildConfirmationMail } from './confirmation-mail.ts';
import { isSubscribable } from './subscribable.ts';
import { writable, type EmailSubscriptionId } from './tables.ts';

const daySeconds = 86_400;
const hourMs = 3_600_000;
/** Requests for one address in a day, from anywhere and to any account, so that nobody can flood it with mail. */
const maxRequestsPerAddress = 3;

interface Request {
  readonly accountId: AccountId;
  readonly email: string;
  readonly locale: Locale;
}

/**
 * Queues a mail that asks to confirm a subscription. Takes the same time and returns the same for an address that is
 * subscribed already. Throws 422 for an invalid address, 429 after three requests a day for one address. The caller
 * checks that the account takes subscribers.
 */
export async function requestSubscription(app: App, request: Request): Promise<void> {
  const email = normalizeEmail(request.email).toLowerCase();
  const errors = emailErrors(email);
  if (errors.length > 0) throw invalidFieldsError(errors);
  if (app.config.RATE_LIMITS) {
    const counter = `email-subscription-address:${email}`;
    const { remaining } = await app.rateLimiter.take(counter, maxRequestsPerAddress, daySeconds);
    if (remaining < 0) throw tooManyRequests();
  }
  // Repeated requests run one after the other, so that only the first one sends a mail.
  const key = `email_subscription:${request.accountId}:${email}`;
  await transaction(app, async ({ enqueue }) => enqueue(sendSubscriptionRequest({ ...request, email }, { key })));
}

/**
 * Stores an unconfirmed subscription and mails its address, at most once an hour. No-op if it is confirmed, or the
 * account takes no subscribers any more. Deletes it if the mail server rejects the address.
 */
export const sendSubscriptionRequest = defineJob(
  'email_subscription.send_request',
  Type.Object({
    accountId: idSchema<'account'>(),
    email: Type.String(),
    locale: Type.Unsafe<Locale>(Type.String()),
  }),
  async (app, request) => {
    if (!(await isSubscribable(app, request.accountId))) return;
    const subscription = await storeUnconfirmed(app, request);
    if (subscription === undefined) return;
    const mail = await buildConfirmationMail(app, { ...request, id: subscription.id });
    if (mail === undefined) return;
    try {
      await app.mail.send(mail);
    } catch (error) {
      if (!isRejectedRecipient(error)) throw error;
      await deleteUnconfirmed(app, subscription.id);
      return;
    }
    await recordConfirmationSent(app, subscription.id);
  },
  'mail',
);

/** Stores a subscription. Undefined if it is confirmed, or was mailed in the last hour. */
async function storeUnconfirmed(
  app: App,
  { accountId, email, locale }: Request,
): Promise<{ id: EmailSubscriptionId } | undefined> {
  const now = app.clock.now();
  return transaction(app, async ({ db }) => {
    const { rows } = await sql<{ id: EmailSubscriptionId }>`
      insert into email_subscriptions as stored (id, account_id, email, locale, created_at)
      values (${newId<'email-subscription'>(now)}, ${accountId}, ${email}, ${locale}, ${now})
      on conflict (account_id, email) do update set locale = excluded.locale
      where stored.confirmed_at is null
        and (stored.confirmation_sent_at is null or stored.confirmation_sent_at < ${new Date(now.getTime() - hourMs)})
      returning id`.execute(db);
    return rows[0];
  });
}

const recordConfirmationSent = (app: App, id: EmailSubscriptionId): Promise<void> =>
  transaction(app, async ({ db }) => {
    await writable(db)
      .updateTable('email_subscriptions')
      .set({ confirmation_sent_at: app.clock.now() })
      .where('id', '=', id)
      .execute();
  });

const deleteUnconfirmed = (app: App, id: EmailSubscriptionId): Promise<void> =>
  transaction(app, async ({ db }) => {
    await writable(db)
      .deleteFrom('email_subscriptions')
      .where('id', '=', id)
      .where('confirmed_at', 'is', null)
      .execute();
  });
