import {
  defineSetting,
  parseOnOff,
  parseOneOf,
  parseOptional,
  parseSettings,
  parseText,
  type Setting,
} from './parse-setting.ts';

/**
 * The settings of each provider of SIGN_IN_PROVIDERS, by the end of their names: ISSUER of the provider `town` is
 * OIDC_TOWN_ISSUER.
 */
export const providerSettings = {
  ISSUER: defineSetting(
    'Issuer of the OpenID Connect provider, the address that `/.well-known/openid-configuration` follows: https://id.example.org/realms/town. It may be in a private network. Plain http needs ALLOW_PRIVATE_ADDRESSES, except for localhost. Accounts stay linked to this address: never change it once people have signed in.',
    undefined,
    parseIssuer,
  ),
  CLIENT_ID: defineSetting('Client id that the provider issued.', undefined, parseText),
  CLIENT_SECRET: defineSetting(
    'Client secret. Without it this server is a public client, which PKCE protects.',
    undefined,
    parseOptional(parseText),
  ),
  LABEL: defineSetting(
    'Name of the provider on the button to sign in. Without it, its name in SIGN_IN_PROVIDERS.',
    undefined,
    parseOptional(parseText),
  ),
  SCOPES: defineSetting('Scopes to request, separated by spaces.', 'openid profile email', parseScopes),
  SIGN_UP: defineSetting(
    'Who may sign up with the provider: `site` (the same rules as for others), `open` (anyone at the provider, also while registrations are closed), `approval` (staff approve each sign-up), `closed` (nobody: people sign in to accounts that are linked).',
    'site',
    parseOneOf('site', 'open', 'approval', 'closed'),
  ),
  VERIFIED_EMAILS: defineSetting(
    'Whether every address of the provider counts as confirmed. With `off`, only those with the claim `email_verified` do.',
    'off',
    parseOnOff,
  ),
  LINK_BY_EMAIL: defineSetting(
    'Whether a confirmed address of the provider signs in to the account with the same address. Whoever controls the provider can then sign in to every account without a second factor, staff included. With `off`, people link their accounts themselves.',
    'off',
    parseOnOff,
  ),
  USERNAME_CLAIM: defineSetting('Claim that suggests a username at sign-up.', 'preferred_username', parseText),
  SUBJECT_CLAIM: defineSetting(
    'Claim that identifies a person. Another one than `sub` is for accounts that come from a server that used it: the provider must never give its value to another person.',
    'sub',
    parseText,
  ),
  GROUPS_CLAIM: defineSetting(
    'Claim with the groups of a person; dots lead into objects, such as `realm_access.roles`.',
    'groups',
    parseText,
  ),
  ROLES: defineSetting(
    'Roles of members of groups: group=role, separated by commas, with % escapes. At each sign-in a member gets the highest of these roles, and loses it after leaving the group. Owners, and people with a higher role, keep theirs. Nobody becomes an owner.',
    undefined,
    parseRoles,
  ),
} as const;

type ProviderSettingValues = {
  readonly [Name in keyof typeof providerSettings]: (typeof providerSettings)[Name] extends Setting<infer Value>
    ? Value
    : never;
};

/** A provider that people sign in with. */
export interface SignInProvider extends ProviderSettingValues {
  /** Its name in SIGN_IN_PROVIDERS, which is part of its addresses. */
  readonly name: string;
  /** ISSUER without a final slash, under which accounts are linked. */
  readonly issuer: string;
  /** What people call it. */
  readonly label: string;
}

const settingPattern = new RegExp(`^OIDC_([A-Z0-9]+)_(${Object.keys(providerSettings).join('|')})$`);

/** Whether a name is that of a setting of a provider, which SIGN_IN_PROVIDERS may name or not. */
export const isProviderSetting = (name: string): boolean => settingPattern.test(name);

/** Parses the names of providers, separated by commas. */
export function parseProviderNames(value: string | undefined): readonly string[] {
  const names = (value ?? '').split(',').flatMap((name) => name.trim() || []);
  if (names.some((name) => !/^[a-z][a-z0-9]{0,29}$/.test(name)))
    throw new Error('must be a list of names of lower-case letters and digits, like town,school');
  if (new Set(names).size < names.length) throw new Error('must not name a provider twice');
  return names;
}

/**
 * Parses the settings of the providers in `names`. Adds a line to `errors` for each invalid one, and for each that
 * belongs to no such provider.
 */
export function parseProviders(
  {
    SIGN_IN_PROVIDERS: names = [],
    ALLOW_PRIVATE_ADDRESSES: allowsHttp,
  }: { readonly SIGN_IN_PROVIDERS: readonly string[] | undefined; readonly ALLOW_PRIVATE_ADDRESSES: boolean },
  given: Record<string, string | undefined>,
  errors: string[],
): SignInProvider[] {
  for (const [name, value] of Object.entries(given)) {
    const provider = settingPattern.exec(name)?.[1]?.toLowerCase();
    const isForeign = provider !== undefined && !names.includes(provider);
    if (isForeign && value?.trim()) errors.push(`${name} belongs to no provider of SIGN_IN_PROVIDERS`);
  }
  const issuers = new Set<string>();
  return names.flatMap((name) => {
    const nameOf = (setting: string): string => `OIDC_${name.toUpperCase()}_${setting}`;
    const earlierErrors = errors.length;
    const values = parseSettings<ProviderSettingValues>(providerSettings, given, errors, nameOf);
    if (errors.length > earlierErrors) return [];
    const issuer = values.ISSUER.replace(/\/$/, '');
    if (!isSecure(issuer) && !allowsHttp)
      errors.push(`${nameOf('ISSUER')} must begin with https:// unless ALLOW_PRIVATE_ADDRESSES is on`);
    if (issuers.has(issuer)) errors.push(`${nameOf('ISSUER')} must not be that of another provider`);
    issuers.add(issuer);
    return [{ ...values, name, issuer, label: values.LABEL ?? name }];
  });
}

/** Whether a provider is reached by TLS, or on this machine. */
function isSecure(issuer: string): boolean {
  const { protocol, hostname } = new URL(issuer);
  return protocol === 'https:' || ['localhost', '127.0.0.1', '[::1]'].includes(hostname);
}

/** Parses the address of a provider. It is compared as text (OpenID Connect Discovery), so it stays as it is. */
function parseIssuer(value: string | undefined): string {
  const url = URL.canParse(value ?? '') ? new URL(value ?? '') : undefined;
  if (url === undefined || !['https:', 'http:'].includes(url.protocol) || url.search !== '' || url.hash !== '')
    throw new Error('must be an address like https://id.example.org, without a query');
  if (url.username !== '' || url.password !== '') throw new Error('must be an address without a password');
  return value ?? '';
}

function parseScopes(value: string | undefined): string {
  const scopes = (value ?? '').split(/\s+/);
  if (!scopes.includes('openid')) throw new Error('must contain openid');
  return scopes.join(' ');
}

/** Parses roles by group. A group may contain an equals sign, as distinguished names of LDAP do. */
function parseRoles(value: string | undefined): ReadonlyMap<string, string> {
  const pairs = (value ?? '').split(',').filter((pair) => pair.trim() !== '');
  const roles = new Map<string, string>();
  for (const pair of pairs) {
    const [, group = '', role = ''] = /^\s*(.+)=\s*([^=]+?)\s*$/u.exec(pair) ?? [];
    if (group === '' || role === '') throw new Error('must be a list like group=role,other=role');
    const name = decodeEscapes(role).toLowerCase();
    if (['owner', 'user', 'everyone'].includes(name)) throw new Error(`must not assign the role ${name}`);
    if (roles.has(decodeEscapes(group.trim()))) throw new Error('must not name a group twice');
    roles.set(decodeEscapes(group.trim()), name);
  }
  return roles;
}

function decodeEscapes(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new Error('has a % that is not part of an escape such as %20');
  }
}
