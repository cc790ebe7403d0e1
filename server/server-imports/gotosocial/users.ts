import { same } from '../columns.ts';
import { isRow, type ImportedRow, type TableImport } from '../table-import.ts';
import { encodePolicy } from './interaction-policies.ts';
import { arrayOf, changedInCopy, idOf, nameOf, privacyOf, textsOf, timeOf } from './references.ts';

const bytes = (text: string): string => `sha256(convert_to(${text}, 'UTF8'))`;

/** SQL of a value of base64, also with the alphabet of URLs and without padding. */
const fromBase64 = (text: string): string =>
  `decode(rpad(translate(rtrim(${text}, '='), '-_', '+/'), (length(rtrim(${text}, '=')) + 3) / 4 * 4, '='), 'base64')`;

/** Roles of a new database: the first administrator is the owner. */
const roleId = `case when s.admin then case when exists (select from users o where o.admin
    and (o.created_at, o.id) < (s.created_at, s.id)) then 2 else 3 end when s.moderator then 1 else -99 end`;

const hasApp = `(s.two_factor_enabled_at is not null and s.two_factor_secret ~ '^[A-Za-z2-7]{16,}=*$')`;
const lostApp = `(s.two_factor_enabled_at is not null and not ${hasApp})`;

const application = (clientId: string): string =>
  `(select o.id from applications o where o.client_id = ${clientId} limit 1)`;

/** Users and what they sign in with; apps with their tokens and push subscriptions. */
export const userTables: readonly TableImport[] = [
  {
    name: 'apps',
    from: 'applications',
    into: 'oauth_applications',
    changed: changedInCopy,
    columns: {
      ...same('id', 'client_id'),
      name: `coalesce(s.name, '')`,
      scopes: `coalesce(s.scopes, '')`,
      website: `nullif(s.website, '')`,
      redirect_uris: `case when s.redirect_uri is not null then regexp_split_to_array(btrim(s.redirect_uri, E' \\n\\r\\t'), '\\s+')
        else ${textsOf('s.redirect_uris')} end`,
      client_secret_hash: bytes(`coalesce(s.client_secret, '')`),
      created_at: `coalesce(s.created_at, ${timeOf('s.ulid')})`,
      // Apps that nobody has used are cleaned up.
      authorized_at: `coalesce(s.created_at, ${timeOf('s.ulid')})`,
    },
  },
  {
    name: 'users',
    from: 'users',
    into: 'users',
    join: 'left join account_settings a on a.account_id = s.account_id',
    // Settings are in a table of their own.
    changed: 'true',
    leftOut: {
      'without an e-mail address': `coalesce(nullif(s.email, ''), nullif(s.unconfirmed_email, '')) is null`,
    },
    columns: {
      ...same('id', 'confirmed_at', 'created_at', 'updated_at'),
      account_id: idOf('s.account_id'),
      email: `coalesce(nullif(s.email, ''), s.unconfirmed_email)`,
      unconfirmed_email: `case when s.email <> '' and s.unconfirmed_email <> s.email then nullif(s.unconfirmed_email, '') end`,
      // bcrypt.
      password_hash: `coalesce(nullif(s.encrypted_password, ''), '!')`,
      role_id: roleId,
      approved: 'coalesce(s.approved, false)',
      disabled: 'coalesce(s.disabled, false)',
      locale: `coalesce(nullif(s.locale, ''), 'en')`,
      sign_up_reason: `nullif(s.reason, '')`,
      sign_up_ip: `case when s.sign_up_ip ~ '^[0-9a-fA-F.:]+(/[0-9]+)?$' then s.sign_up_ip end`,
      created_by_application_id: idOf('s.created_by_application_id'),
      has_second_factor: hasApp,
      lost_second_factor: lostApp,
      settings: `jsonb_strip_nulls(jsonb_build_object(
        'default_privacy', ${privacyOf('a.privacy')},
        'default_sensitive', a.sensitive,
        'default_language', nullif(a.language, ''),
        'default_content_type', case when a.status_content_type like '%markdown' then 'text/markdown' end))`,
    },
    helpers: {
      policies: `jsonb_strip_nulls(jsonb_build_object('public', a.interaction_policy_public, 'unlisted', a.interaction_policy_unlocked,
        'private', a.interaction_policy_followers_only, 'direct', a.interaction_policy_direct))`,
    },
    prepare: completeSettings,
  },
  {
    name: 'authenticator apps',
    from: 'users',
    into: 'user_totp',
    only: 's.two_factor_enabled_at is not null',
    leftOut: { 'their secret cannot be read': lostApp },
    isRebuilt: true,
    targetKey: ['user_id'],
    columns: {
      user_id: 's.id',
      secret: 's.two_factor_secret',
      last_step: '0',
      confirmed_at: 's.two_factor_enabled_at',
      created_at: 's.two_factor_enabled_at',
    },
    prepare: (row) => ({ ...row, secret: `\\x${decodeBase32(String(row['secret'])).toString('hex')}` }),
  },
  {
    name: 'recovery codes',
    from: 'users',
    into: 'recovery_codes',
    only: `${hasApp} and jsonb_array_length(${arrayOf('s.two_factor_backups')}) > 0`,
    isRebuilt: true,
    rowsEach: `jsonb_array_length(${arrayOf('s.two_factor_backups')})`,
    join: `cross join lateral jsonb_array_elements_text(${arrayOf('s.two_factor_backups')}) c(hash)`,
    targetKey: undefined,
    // bcrypt.
    columns: { user_id: 's.id', code_hash: `convert_to(c.hash, 'UTF8')` },
  },
  {
    name: 'access tokens',
    from: 'tokens',
    into: 'oauth_tokens',
    leftOut: {
      'codes that were not exchanged for a token': `coalesce(s.access, '') = ''`,
      expired: 's.access_expires_at < now()',
      'of apps that are gone': `${application('s.client_id')} is null`,
      'of users that are gone': `s.user_id <> '' and not exists (select from users u where u.ulid = s.user_id)`,
    },
    changed: changedInCopy,
    columns: {
      id: 's.id',
      application_id: application('s.client_id'),
      created_at: `coalesce(s.access_create_at, s.created_at, ${timeOf('s.ulid')})`,
      last_used_at: 's.last_used',
      token_hash: bytes('s.access'),
      user_id: `case when s.user_id <> '' then ${idOf('s.user_id')} end`,
      scopes: `coalesce(s.scope, '')`,
    },
  },
];

/** Web push subscriptions of apps. `sealToken` encrypts the access token, which push messages contain. */
export function pushTable(sealToken: (tokenId: string, token: string) => Promise<Buffer | undefined>): TableImport {
  const flags = 's.notification_flags::bigint';
  const alerts = Object.entries(alertBits).map(([name, bit]) => `'${name}', ${flags} & ${1 << bit} <> 0`);
  return {
    name: 'push subscriptions',
    from: 'web_push_subscriptions',
    into: 'push_subscriptions',
    join: 'join tokens t on t.ulid = s.token_id',
    leftOut: { 'of tokens that are gone': 'not exists (select from tokens t where t.ulid = s.token_id)' },
    changed: changedInCopy,
    targetKey: undefined,
    conflictKey: ['token_id'],
    columns: {
      endpoint: 's.endpoint',
      standard: 'true',
      created_at: timeOf('s.ulid'),
      updated_at: timeOf('s.ulid'),
      token_id: 't.id',
      account_id: idOf('s.account_id'),
      p256dh: fromBase64('s.p256dh'),
      auth: fromBase64('s.auth'),
      alerts: `jsonb_build_object(${alerts.join(', ')})`,
      policy: `coalesce(${nameOf('s.policy', { all: [1], followed: [2], follower: [3], none: [4] })}, 'all')`,
      sealed_token: 'null::text',
    },
    helpers: { token: 't.access' },
    prepare: async ({ token, ...row }) => {
      const sealed = await sealToken(String(row['token_id']), String(token));
      return { ...row, sealed_token: sealed === undefined ? null : `\\x${sealed.toString('hex')}` };
    },
  };
}

/** Bits of `notification_flags` by our name of the alert. */
const alertBits = {
  follow: 1,
  follow_request: 2,
  mention: 3,
  reblog: 4,
  favourite: 5,
  poll: 6,
  status: 7,
  'admin.sign_up': 8,
  'admin.report': 12,
  update: 13,
} as const;

function completeSettings({ policies, settings, ...row }: ImportedRow): ImportedRow {
  const encoded = Object.entries(isRow(policies) ? policies : {}).flatMap(([visibility, policy]) => {
    const value = encodePolicy(policy);
    return value === null ? [] : [[visibility, value] as const];
  });
  if (encoded.length === 0) return { ...row, settings };
  const defaults = { default_interaction_policies: Object.fromEntries(encoded) };
  return { ...row, settings: { ...(isRow(settings) && settings), ...defaults } };
}

/** Decodes base32 (RFC 4648), with or without padding. */
function decodeBase32(text: string): Buffer {
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
  const bits = [...text.toUpperCase().replaceAll('=', '')].map((letter) =>
    alphabet.indexOf(letter).toString(2).padStart(5, '0'),
  );
  const octets = bits.join('').match(/.{8}/g) ?? [];
  return Buffer.from(octets.map((octet) => Number.parseInt(octet, 2)));
}

/** Accounts at the OpenID Connect provider. The database does not name it. */
export const identityTable = (issuer: string | undefined): TableImport => ({
  name: 'linked sign-ins',
  from: 'users',
  into: 'identities',
  only: `s.external_id <> ''`,
  leftOut: { 'of a provider that SIGN_IN_PROVIDERS does not name': String(issuer === undefined) },
  changed: 'true',
  columns: {
    ...same('id', 'created_at'),
    user_id: 's.id',
    issuer: `'${(issuer ?? '').replaceAll("'", "''")}'::text`,
    subject: 's.external_id',
    email: 'null::text',
    last_used_at: 'null::timestamp',
  },
});
