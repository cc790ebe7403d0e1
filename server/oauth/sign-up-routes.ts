import { Type } from 'typebox';
import type { App } from '../platform/app.ts';
import { transaction } from '../platform/write/transaction.ts';
import { forbidden } from '../platform/http/http-errors.ts';
import { chooseLocale } from '../platform/i18n/locales.ts';
import { get, post, type Caller, type Route } from '../platform/http/routes.ts';
import type { UserId } from '../platform/ids.ts';
import { siteSettings } from '../site/index.ts';
import { findLanguage } from '../text/languages/index.ts';
import { findUsableInvite } from '../users/invites/index.ts';
import { assertPasswordsAllowed } from '../users/sign-in/index.ts';
import { createUser, resendConfirmation } from '../users/sign-up/index.ts';
import { loadUser } from '../users/index.ts';
import { insertToken } from './create-token.ts';
import { requireApplication } from './find-applications.ts';
import { presentToken } from './authorize/authorization-codes.ts';
import { Token } from './schema.ts';
import { parseScopes } from './scopes.ts';

const text = Type.Optional(Type.String());

export const signUpRoutes: readonly Route[] = [
  post('/api/v1/accounts', {
    summary: 'Create a user, with the token of an app (client credentials)',
    access: 'app',
    scope: 'write|write:accounts',
    openInLimitedFederation: true,
    rateLimit: 'sign-up',
    input: Type.Object({
      username: text,
      email: text,
      password: text,
      agreement: Type.Optional(
        Type.Boolean({ description: 'Whether the user accepts the rules and the privacy policy; must be true' }),
      ),
      locale: Type.Optional(
        Type.String({ description: 'Language tag; by default, or if it is unknown, that of Accept-Language' }),
      ),
      reason: Type.Optional(Type.String({ description: 'Required if staff approve each sign-up' })),
      time_zone: text,
      invite_code: Type.Optional(
        Type.String({ description: 'Of an invite, which lets people sign up while registrations are closed' }),
      ),
      follow_collection: Type.Optional(
        Type.Boolean({ description: 'Whether to follow the accounts of the collection of the invite' }),
      ),
      proof_of_work: Type.Optional(
        Type.String({
          description:
            'Solution of a challenge, if `registrations` of the instance names one. Without it, staff approve the sign-up',
        }),
      ),
      // Ignored: the server does not ask for the age.
      date_of_birth: text,
    }),
    response: Token,
    async handle({ app, caller, input, request }) {
      if (caller.viewer !== undefined) {
        throw forbidden('oauth.clientOnly');
      }
      assertPasswordsAllowed(app);
      const { registrations, defaultLanguage } = await siteSettings(app);
      if (registrations === 'closed' && (await findUsableInvite(app, input.invite_code)) === undefined) {
        throw forbidden('oauth.registrationsClosed');
      }
      const application = await requireApplication(app, caller.applicationId);
      const { userId } = await createUser(app, {
        username: input.username ?? '',
        email: input.email ?? '',
        password: input.password ?? '',
        agreement: input.agreement === true,
        reason: input.reason,
        locale:
          findLanguage(input.locale ?? '') ??
          chooseLocale(undefined, request.headers['accept-language']?.toString(), defaultLanguage),
        timeZone: input.time_zone,
        applicationId: application.id,
        ip: request.ip,
        proofOfWork: input.proof_of_work,
        inviteCode: input.invite_code,
        followsCollection: input.follow_collection,
      });
      const scopes = parseScopes(application.scopes);
      const token = await transaction(app, (tx) =>
        insertToken(tx, app, { userId, applicationId: application.id, scopes }),
      );
      return presentToken(token, scopes);
    },
  }),

  post('/api/v1/emails/confirmations', {
    summary: 'Send the confirmation mail again, optionally to a new address',
    access: 'user',
    scope: 'write|write:accounts',
    allowUnconfirmed: true,
    rateLimit: 'confirmations',
    input: Type.Object({ email: text }),
    response: Type.Object({}),
    async handle({ app, viewer, caller, input }) {
      await assertSignUpApplication(app, viewer.userId, caller);
      await resendConfirmation(app, viewer.userId, input.email);
      return {};
    },
  }),

  get('/api/v1/emails/check_confirmation', {
    summary: 'Show whether the e-mail address is confirmed',
    access: 'user',
    scope: 'read|read:accounts',
    allowUnconfirmed: true,
    response: Type.Boolean(),
    handle: async ({ app, viewer }) => (await loadUser(app, viewer.userId)).isConfirmed,
  }),
];

async function assertSignUpApplication(app: App, userId: UserId, caller: Caller): Promise<void> {
  const { createdByApplicationId } = await loadUser(app, userId);
  if (createdByApplicationId !== null && createdByApplicationId === caller.applicationId) return;
  throw forbidden('oauth.otherApplication');
}
