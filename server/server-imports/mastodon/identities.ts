import type { Config } from '../../platform/config.ts';
import { same } from '../columns.ts';
import { onlyIssuer } from '../only-issuer.ts';
import type { TableImport } from '../table-import.ts';
import type { MastodonEnvironment } from './environment.ts';

/**
 * Returns the issuer of the OpenID Connect provider of a Mastodon, which has at most one: its setting, else the only provider of
 * SIGN_IN_PROVIDERS. Undefined if neither names it.
 */
export function identityIssuer(
  config: Pick<Config, 'signInProviders'>,
  { values }: Pick<MastodonEnvironment, 'values'>,
): string | undefined {
  const named = values['OIDC_ISSUER']?.trim().replace(/\/$/, '');
  if (named !== undefined && named !== '') return named;
  return onlyIssuer(config);
}

/** Accounts at the OpenID Connect provider. Those of other protocols name people in ways that no provider must repeat. */
export const identityTable = (issuer: string | undefined): TableImport => ({
  name: 'linked sign-ins',
  from: 'identities',
  into: 'identities',
  leftOut: {
    'of no user': 's.user_id is null',
    'of SAML or CAS': `s.provider <> 'openid_connect'`,
    'of a provider without OIDC_ISSUER': `s.provider = 'openid_connect' and ${issuer === undefined}`,
    'further ones of a user': `${issuer !== undefined} and exists (select from identities o
      where o.user_id = s.user_id and o.provider = s.provider and o.id < s.id)`,
  },
  columns: {
    ...same('id', 'user_id', 'created_at'),
    issuer: `'${(issuer ?? '').replaceAll("'", "''")}'::text`,
    subject: 's.uid',
    email: 'null::text',
    last_used_at: 'null::timestamp',
  },
});
