import { defineJob } from '../../platform/work/define-job.ts';
import { sql } from 'kysely';
import { Type } from 'typebox';
import type { App } from '../../platform/app.ts';
import { transaction } from '../../platform/write/transaction.ts';
import type { UserId } from '../../platform/ids.ts';
import { idSchema } from '../../platform/id-schema.ts';
import { loadMailContext } from './mail-context.ts';
import {
  confirmationMail,
  emailChangedMail,
  emailChangeRequestedMail,
  passwordChangedMail,
  resetMail,
} from './mails.ts';
import { emailSpellings } from '../sign-up/email-address.ts';
import { hashSecret, newSecret } from '../sign-in/secrets.ts';
import { writable } from '../tables.ts';
import { sendUserMail } from './send-user-mail.ts';

const userPayload = Type.Object({ userId: idSchema<'user'>() });

/**
 * Sends the link that confirms a user's address, or the new address during a change. Voids earlier links. The secret is
 * created by the job, so that it is never stored with it.
 */
export const sendConfirmation = defineJob(
  'user.send_confirmation',
  userPayload,
  async (app, { userId }) => {
    const user = await findMailableUser(app, userId);
    if (user === undefined || (user.confirmed_at !== null && user.unconfirmed_email === null)) return;
    const to = user.unconfirmed_email ?? user.email;
    const secret = newSecret();
    const stored = await transaction(app, ({ db }) =>
      writable(db)
        .updateTable('users')
        .set({ confirmation_token_hash: hashSecret(secret), confirmation_sent_at: app.clock.now() })
        // The address may have changed since it was read: then another job sends to the new one.
        .where('id', '=', userId)
        .where('email', '=', user.email)
        .where('unconfirmed_email', 'is not distinct from', user.unconfirmed_email)
        .executeTakeFirst(),
    );
    if (stored.numUpdatedRows === 0n) return;
    const link = `${app.config.baseUrl}/auth/confirmation?confirmation_token=${secret}`;
    await sendUserMail(app, {
      to,
      ...confirmationMail({ ...(await loadMailContext(app, user)), link }),
    });
  },
  'mail',
);

/** Sends a password reset link to the user with this address. No-op if there is none. */
export const sendPasswordReset = defineJob(
  'user.send_password_reset',
  Type.Object({ email: Type.String() }),
  async (app, { email }) => {
    const user = await findMailableUserByEmail(app, email);
    if (user === undefined) return;
    const secret = newSecret();
    const stored = await transaction(app, ({ db }) =>
      writable(db)
        .updateTable('users')
        .set({ reset_token_hash: hashSecret(secret), reset_sent_at: app.clock.now() })
        .where('id', '=', user.id)
        // The address may have changed since it was read: the old one must not get a valid link.
        .where('email', '=', user.email)
        .executeTakeFirst(),
    );
    if (stored.numUpdatedRows === 0n) return;
    const link = `${app.config.baseUrl}/auth/password/edit?reset_password_token=${secret}`;
    await sendUserMail(app, {
      to: user.email,
      ...resetMail({ ...(await loadMailContext(app, user)), link }),
    });
  },
  'mail',
);

/** Notifies a user that the password was changed. */
export const sendPasswordChanged = defineJob(
  'user.send_password_changed',
  userPayload,
  async (app, { userId }) => {
    const user = await findMailableUser(app, userId);
    if (user === undefined) return;
    const link = `${app.config.baseUrl}/auth/password/new`;
    await sendUserMail(app, {
      to: user.email,
      ...passwordChangedMail({ ...(await loadMailContext(app, user)), link }),
    });
  },
  'mail',
);

/** Notifies the current address that a change was requested. */
export const sendEmailChangeRequested = defineJob(
  'user.send_email_change_requested',
  Type.Object({ userId: idSchema<'user'>(), oldEmail: Type.String(), newEmail: Type.String() }),
  async (app, { userId, oldEmail, newEmail }) => {
    const user = await findMailableUser(app, userId);
    if (user === undefined) return;
    const link = `${app.config.baseUrl}/auth/password/new`;
    const facts = { ...(await loadMailContext(app, user)), link };
    await sendUserMail(app, { to: oldEmail, ...emailChangeRequestedMail(facts, newEmail) });
  },
  'mail',
);

/** Notifies the old address that it was replaced. */
export const sendEmailChanged = defineJob(
  'user.send_email_changed',
  Type.Object({ userId: idSchema<'user'>(), oldEmail: Type.String() }),
  async (app, { userId, oldEmail }) => {
    const user = await findMailableUser(app, userId);
    if (user === undefined) return;
    const link = `${app.config.baseUrl}/about`;
    await sendUserMail(app, {
      to: oldEmail,
      ...emailChangedMail({ ...(await loadMailContext(app, user)), link }),
    });
  },
  'mail',
);

const mailableUsers = (app: App) =>
  app.db
    .selectFrom('users')
    .innerJoin('accounts', 'accounts.id', 'users.account_id')
    .select([
      'users.id',
      'users.email',
      'users.unconfirmed_email',
      'users.confirmed_at',
      'users.locale',
      'accounts.username',
    ])
    .where('accounts.deleted_at', 'is', null);

/** Finds a user with what a mail needs; undefined if the account was deleted. */
export const findMailableUser = (app: App, userId: UserId) =>
  mailableUsers(app).where('users.id', '=', userId).executeTakeFirst();

const findMailableUserByEmail = (app: App, email: string) =>
  mailableUsers(app)
    .where(sql<boolean>`lower(users.email) = any(${emailSpellings(email)}::text[])`)
    .orderBy('users.id')
    .executeTakeFirst();
