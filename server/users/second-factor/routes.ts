import { get, type Route } from '../../platform/http/routes.ts';
import { listIdentities } from '../identity-providers/manage-identities.ts';
import { mayInvite } from '../invites/may-invite.ts';
import { mayUsePasswords } from '../sign-in/password-policy.ts';
import { noPassword } from '../sign-in/passwords.ts';
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
      const [user, factors, identities] = await Promise.all([
        app.db
          .selectFrom('users')
          .select([
            'email',
            'unconfirmed_email',
            'role_id',
            'password_hash',
            'lost_second_factor',
            secondFactorFromSql.as('second_factor_from'),
          ])
          .where('id', '=', userId)
          .executeTakeFirstOrThrow(),
        loadSecondFactors(app, userId),
        listIdentities(app, userId),
      ]);
      return {
        email: user.email,
        unconfirmed_email: user.unconfirmed_email,
        has_totp: factors.hasTotp,
        has_password: user.password_hash !== noPassword && mayUsePasswords(app),
        linked_sign_ins_count: identities.length,
        has_sign_in_providers: app.config.signInProviders.length > 0,
        passkeys_count: factors.passkeys,
        lost_second_factor: user.lost_second_factor,
        second_factor_required_from: user.second_factor_from?.toISOString() ?? null,
        recovery_codes_count: factors.recoveryCodes,
        may_invite: await mayInvite(app, user.role_id),
      };
    },
  }),
];
