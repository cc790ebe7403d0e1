import { same } from '../columns.ts';
import { type SiteAddress } from './site-address.ts';
import type { TableImport } from '../table-import.ts';

const administrator = 1;
const ownerId = 3;

/** The role with the id of our owner must be one. Another role with that id gets this one. */
const roleId = (role: string): string =>
  `case when ${role}.id = ${ownerId} and ${role}.permissions & ${administrator} = 0 then 1003 else ${role}.id end`;

const bytes = (text: string): string => `sha256(convert_to(${text}, 'UTF8'))`;

/** SQL of a value of base64, also with the alphabet of URLs and without padding. */
const fromBase64 = (text: string): string =>
  `decode(rpad(translate(rtrim(${text}, '='), '-_', '+/'), (length(rtrim(${text}, '=')) + 3) / 4 * 4, '='), 'base64')`;

const setting = (name: string): string => `(coalesce(nullif(s.settings, ''), '{}')::jsonb -> '${name}')`;
const settingOf = (name: string, values: readonly string[]): string =>
  `case when ${setting(name)} #>> '{}' in (${values.map((value) => `'${value}'`).join(', ')}) then ${setting(name)} end`;
const flag = (name: string): string => `case when jsonb_typeof(${setting(name)}) = 'boolean' then ${setting(name)} end`;

/** SQL of the addresses from which a user signed up or in, with the last time of each. */
const addressesOfUser = `(select ip, max(used_at) as used_at from (
    select s.sign_up_ip, s.created_at
    union all select a.ip, a.updated_at from session_activations a where a.user_id = s.id
    union all select l.ip, l.created_at from login_activities l where l.user_id = s.id and l.success
  ) known (ip, used_at) where ip is not null and used_at > now() at time zone 'UTC' - interval '1 year' group by ip)`;

/** Roles, users and what they sign in with; apps with their tokens and push subscriptions. */
export function userTables(_site: SiteAddress): readonly TableImport[] {
  return [
    {
      name: 'roles',
      from: 'user_roles',
      into: 'roles',
      // A new database has roles with the same ids.
      replaces: true,
      added: { collection_limit: '10', require_2fa: 'false' },
      columns: {
        id: roleId('s'),
        ...same('name', 'color', 'highlighted', 'collection_limit', 'created_at', 'updated_at'),
        require_two_factor: 's.require_2fa',
        position: `case ${roleId('s')} when ${ownerId} then 1000 else least(s.position, 999) end`,
        permissions: `case ${roleId('s')} when ${ownerId} then ${administrator} else s.permissions end`,
      },
    },
    {
      name: 'apps',
      from: 'oauth_applications',
      into: 'oauth_applications',
      columns: {
        ...same('id', 'name', 'scopes'),
        website: `nullif(s.website, '')`,
        redirect_uris: `regexp_split_to_array(btrim(s.redirect_uri, E' \\n\\r\\t'), '\\s+')`,
        client_id: 's.uid',
        client_secret_hash: bytes('s.secret'),
        created_at: `coalesce(s.created_at, now() at time zone 'UTC')`,
        // Apps that nobody has used are cleaned up.
        authorized_at: `coalesce(s.created_at, now() at time zone 'UTC')`,
      },
    },
    {
      name: 'users',
      from: 'users',
      into: 'users',
      join: `left join user_roles r on r.id = s.role_id
        left join lateral (select text from user_invite_requests q where q.user_id = s.id order by id limit 1) q on true`,
      columns: {
        ...same(
          'id',
          'account_id',
          'email',
          'confirmed_at',
          'approved',
          'disabled',
          'sign_up_ip',
          'created_at',
          'updated_at',
        ),
        unconfirmed_email: `nullif(s.unconfirmed_email, '')`,
        // bcrypt; empty for those who sign in elsewhere, which no password matches.
        password_hash: 's.encrypted_password',
        role_id: `coalesce(${roleId('r')}, -99)`,
        locale: `coalesce(nullif(s.locale, ''), 'en')`,
        time_zone: `case when s.time_zone ~ '^[A-Za-z_]+/[A-Za-z_/+-]+$' then s.time_zone end`,
        sign_up_reason: 'q.text',
        created_by_application_id: 's.created_by_application_id',
        settings: `jsonb_strip_nulls(jsonb_build_object(
          'default_privacy', ${settingOf('default_privacy', ['public', 'unlisted', 'private'])},
          'default_sensitive', ${flag('default_sensitive')},
          'default_language', case when jsonb_typeof(${setting('default_language')}) = 'string' then ${setting('default_language')} end,
          'default_quote_policy', ${settingOf('default_quote_policy', ['public', 'followers', 'nobody'])},
          'show_application', ${flag('show_application')},
          'email_subscriptions', ${flag('email_subscriptions')},
          'autoplay_gifs', ${flag('web.auto_play')},
          'expand_spoilers', ${flag('web.expand_content_warnings')},
          'expand_media', ${settingOf('web.display_media', ['default', 'show_all', 'hide_all'])}))`,
        last_active_at: `date_trunc('day', s.current_sign_in_at)`,
      },
    },
    {
      name: 'invites',
      from: 'invites',
      into: 'invites',
      columns: {
        ...same('id', 'code', 'user_id', 'uses', 'expires_at', 'comment', 'autofollow', 'created_at'),
        max_uses: 'nullif(greatest(s.max_uses, 0), 0)',
      },
    },
    {
      name: 'invited users',
      from: 'users',
      into: 'users',
      only: 's.invite_id is not null',
      columns: same('id', 'invite_id'),
      isUpdate: true,
    },
    {
      // As Mastodon shows them to staff. Older ones would be cleaned up.
      name: 'addresses of users',
      from: 'users',
      into: 'user_ips',
      join: `cross join lateral ${addressesOfUser} k`,
      rowsEach: `(select count(*) from ${addressesOfUser} k)`,
      isRebuilt: true,
      targetKey: undefined,
      columns: { user_id: 's.id', ip: 'k.ip', used_at: `date_trunc('day', k.used_at)` },
    },
    {
      name: 'access tokens',
      from: 'oauth_access_tokens',
      into: 'oauth_tokens',
      leftOut: {
        revoked: 's.revoked_at is not null',
        expired: `s.expires_in is not null and s.created_at + make_interval(secs => s.expires_in) < now() at time zone 'UTC'`,
        'of browser sessions': browserToken('s.application_id'),
      },
      changed: 's.last_used_at >= $since',
      columns: {
        ...same('id', 'application_id', 'created_at', 'last_used_at', 'last_used_ip'),
        token_hash: bytes('s.token'),
        user_id: 's.resource_owner_id',
        scopes: `coalesce(s.scopes, '')`,
      },
    },
  ];
}

/** SQL: whether an application is the web client of Mastodon. */
export const browserToken = (application: string): string =>
  `exists (select from oauth_applications o where o.id = ${application} and o.superapp)`;

/** Web push subscriptions of apps. `sealToken` encrypts the access token, which push messages contain. */
export function pushTable(sealToken: (tokenId: string, token: string) => Promise<Buffer | undefined>): TableImport {
  return {
    name: 'push subscriptions',
    from: 'web_push_subscriptions',
    into: 'push_subscriptions',
    added: { standard: 'false' },
    join: 'join oauth_access_tokens t on t.id = s.access_token_id join users u on u.id = t.resource_owner_id',
    leftOut: {
      'of browser sessions': `exists (select from oauth_access_tokens t where t.id = s.access_token_id and ${browserToken('t.application_id')})`,
      'of revoked tokens': `s.access_token_id is null
        or exists (select from oauth_access_tokens t where t.id = s.access_token_id and t.revoked_at is not null)`,
    },
    targetKey: undefined,
    conflictKey: ['token_id'],
    columns: {
      ...same('endpoint', 'standard', 'created_at', 'updated_at'),
      token_id: 's.access_token_id',
      account_id: 'u.account_id',
      p256dh: fromBase64('s.key_p256dh'),
      auth: fromBase64('s.key_auth'),
      alerts: `coalesce((select jsonb_object_agg(name, value in ('true', '1'))
        from jsonb_each_text(case jsonb_typeof(s.data::jsonb -> 'alerts') when 'object' then s.data::jsonb -> 'alerts' else '{}' end) a(name, value)), '{}')`,
      policy: `case when s.data::jsonb ->> 'policy' in ('all', 'followed', 'follower', 'none') then s.data::jsonb ->> 'policy' else 'all' end`,
      sealed_token: 'null::text',
    },
    helpers: { token: 't.token' },
    prepare: async ({ token, ...row }) => {
      const sealed = await sealToken(String(row['token_id']), String(token));
      return { ...row, sealed_token: sealed === undefined ? null : `\\x${sealed.toString('hex')}` };
    },
  };
}

/** Passkeys and security keys. */
export const passkeyTable: TableImport = {
  name: 'passkeys',
  from: 'webauthn_credentials',
  into: 'passkeys',
  join: 'join users u on u.id = s.user_id',
  leftOut: { 'of no user': 's.user_id is null' },
  columns: {
    ...same('id', 'user_id', 'sign_count', 'created_at'),
    user_handle: fromBase64(`nullif(u.webauthn_id, '')`),
    credential_id: fromBase64('s.external_id'),
    public_key: fromBase64('s.public_key'),
    transports: `'{}'::text[]`,
    name: 's.nickname',
    last_used_at: 'case when s.sign_count > 0 then s.updated_at end',
  },
};
