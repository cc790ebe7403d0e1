import { Type } from 'typebox';
import { entity } from '../../platform/http/entity.ts';
import { get, type Route } from '../../platform/http/routes.ts';
import { mayInvite } from '../invites/may-invite.ts';
import { secondFactorFromSql } from './second-factor-from.ts';
import { loadSecondFactors } from './second-factors.ts';

const AccountSecurity = entity('AccountSecurity', {
  email: Type.String(),
  unconfirmed_email: Type.Union([Type.String(), Type.Null()], {
    description: 'The address that replaces the other one once it is confirmed',
  }),
  has_totp: Type.Boolean({ description: 'Whether sign-in asks for a code of an authenticator app' }),
  passkeys_count: Type.Integer(),
  second_factor_required_from: Type.Union([Type.String({ format: 'date-time' }), Type.Null()], {
    description: 'When the roles of the user begin to require a second factor, if there is none; null if they do not',
  }),
  recovery_codes_count: Type.Integer({ description: 'Recovery codes that were not used' }),
  may_invite: Type.Boolean({ description: 'Whether the role of the user has invites' }),
});

export const securityRoutes: readonly Route[] = [
  get('/api/v1/fieldfare/account_security', {
    summary: 'Show the e-mail address of the user, and how the account is protected',
    access: 'user',
    // Only unlimited tokens see the e-mail address.
    scope: 'read',
    response: AccountSecurity,
    async handle({ app, viewer: { userId } }) {
      const [user, factors] = await Promise.all([
        app.db
          .selectFrom('users')
          .select(['email', 'unconfirmed_email', 'role_id', secondFactorFromSql.as('second_factor_from')])
          .where('id', '=', userId)
          .executeTakeFirstOrThrow(),
        loadSecondFactors(app, userId),
      ]);
      return {
        email: user.email,
        unconfirmed_email: user.unconfirmed_email,
        has_totp: factors.hasTotp,
        passkeys_count: factors.passkeys,
        second_factor_required_from: user.second_factor_from?.toISOString() ?? null,
        recovery_codes_count: factors.recoveryCodes,
        may_invite: await mayInvite(app, user.role_id),
      };
    },
  }),
];
