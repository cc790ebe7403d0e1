import { get, type Route } from '../../platform/http/routes.ts';
import { mayInvite } from '../invites/may-invite.ts';
import { AccountSecurity } from './schema.ts';
import { secondFactorFromSql } from './second-factor-from.ts';
import { loadSecondFactors } from './second-factors.ts';

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
          .select([
            'email',
            'unconfirmed_email',
            'role_id',
            'lost_second_factor',
            secondFactorFromSql.as('second_factor_from'),
          ])
          .where('id', '=', userId)
          .executeTakeFirstOrThrow(),
        loadSecondFactors(app, userId),
      ]);
      return {
        email: user.email,
        unconfirmed_email: user.unconfirmed_email,
        has_totp: factors.hasTotp,
        passkeys_count: factors.passkeys,
        lost_second_factor: user.lost_second_factor,
        second_factor_required_from: user.second_factor_from?.toISOString() ?? null,
        recovery_codes_count: factors.recoveryCodes,
        may_invite: await mayInvite(app, user.role_id),
      };
    },
  }),
];
