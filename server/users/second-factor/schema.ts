import { Type, type Static } from 'typebox';
import { entity } from '../../platform/http/entity.ts';

/** How the account of the user is protected. */
export const AccountSecurity = entity('AccountSecurity', {
  email: Type.String(),
  unconfirmed_email: Type.Union([Type.String(), Type.Null()], {
    description: 'The address that replaces the other one once it is confirmed',
  }),
  has_totp: Type.Boolean({ description: 'Whether sign-in asks for a code of an authenticator app' }),
  has_password: Type.Boolean({ description: 'Whether the user can sign in with a password' }),
  linked_sign_ins_count: Type.Integer({ description: 'Accounts at providers with which the user signs in' }),
  has_sign_in_providers: Type.Boolean({ description: 'Whether people sign in with providers, too' }),
  passkeys_count: Type.Integer(),
  second_factor_required_from: Type.Union([Type.String({ format: 'date-time' }), Type.Null()], {
    description: 'When the roles of the user begin to require a second factor, if there is none; null if they do not',
  }),
  lost_second_factor: Type.Boolean({
    description: 'Whether the second factor could not be taken over when the server moved, and is to be set up again',
  }),
  recovery_codes_count: Type.Integer({ description: 'Recovery codes that were not used' }),
  may_invite: Type.Boolean({ description: 'Whether the role of the user has invites' }),
});
export type AccountSecurity = Static<typeof AccountSecurity>;
