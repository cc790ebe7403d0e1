/** The description of an OAuth scope. */
export interface ScopeDescription {
  /** Finishes the sentence "This app will be able to …" on the consent page. */
  readonly summary: string;
  /** Marked on the consent page: the app can change a lot, act in the user's name or read data of others. */
  readonly dangerous: boolean;
}

const safe = (sentence: string): ScopeDescription => ({ summary: sentence, dangerous: false });
const dangerous = (sentence: string): ScopeDescription => ({ summary: sentence, dangerous: true });

const adminScopeTargets = {
  accounts: 'all accounts, with their e-mail and IP addresses',
  reports: 'reports and the accounts in them',
  domain_allows: 'the servers that are allowed',
  domain_blocks: 'the servers that are blocked',
  ip_blocks: 'blocked IP addresses',
  email_domain_blocks: 'blocked e-mail providers',
  canonical_email_blocks: 'blocked e-mail addresses',
} as const;

function adminScopeDescriptions(): [string, ScopeDescription][] {
  const families = Object.entries(adminScopeTargets);
  return [
    ['admin:read', dangerous('see everything that the staff of this server can see')],
    ...families.map(([name, what]): [string, ScopeDescription] => [
      `admin:read:${name}`,
      dangerous(`as staff, see ${what}`),
    ]),
    ['admin:write', dangerous('do everything that the staff of this server can do')],
    ...families.map(([name, what]): [string, ScopeDescription] => [
      `admin:write:${name}`,
      dangerous(`as staff, take action on ${what}`),
    ]),
  ];
}

const scopeDescriptions: ReadonlyMap<string, ScopeDescription> = new Map<string, ScopeDescription>([
  ['profile', safe('see only your name, profile picture and address')],
  ['read', safe('read all of your account, including private posts and messages')],
  ['read:accounts', safe('see accounts and your own profile')],
  ['read:blocks', safe('see the accounts and servers that you block')],
  ['read:bookmarks', safe('see your bookmarks')],
  ['read:collections', safe('see your collections')],
  ['read:favourites', safe('see your favourites')],
  ['read:filters', safe('see your filters')],
  ['read:follows', safe('see your follows and followers')],
  ['read:lists', safe('see your lists')],
  ['read:mutes', safe('see the accounts that you mute')],
  ['read:notifications', safe('see your notifications')],
  ['read:search', safe('search on your behalf')],
  ['read:statuses', safe('see all posts that you can see, including private ones')],
  ['write', dangerous('change everything in your account: post, follow, edit your profile, delete')],
  ['write:accounts', dangerous('change your profile and your preferences')],
  ['write:blocks', safe('block accounts and servers')],
  ['write:bookmarks', safe('bookmark posts')],
  ['write:collections', safe('create and change collections')],
  ['write:conversations', safe('mute and delete conversations')],
  ['write:favourites', safe('favourite posts')],
  ['write:filters', safe('create and change filters')],
  ['write:follows', safe('follow and unfollow people')],
  ['write:lists', safe('create and change lists')],
  ['write:media', safe('upload files')],
  ['write:mutes', safe('mute people and conversations')],
  ['write:notifications', safe('clear your notifications')],
  ['write:reports', safe('report people')],
  ['write:statuses', dangerous('publish, edit and delete posts in your name')],
  ['follow', dangerous('change your follows, blocks and mutes')],
  ['push', safe('receive push notifications for you')],
  ...adminScopeDescriptions(),
]);

/** Every scope, in the order of the consent page. */
export const allScopes: readonly string[] = [...scopeDescriptions.keys()];

/** The scope of a request without scopes (reference/limits.tsv). */
export const defaultScope = 'read';

/** Returns the description of a scope; undefined if there is no such scope. */
export function describeScope(scope: string): ScopeDescription | undefined {
  return scopeDescriptions.get(scope);
}

/** The scopes that the old `follow` scope includes. */
const followScopes: ReadonlySet<string> = new Set(
  ['blocks', 'follows', 'mutes'].flatMap((name) => [`read:${name}`, `write:${name}`]),
);

/**
 * Returns whether `granted` includes one of the scopes of `needed` (alternatives separated by `|`), directly or by a
 * wider one: `read` includes `read:statuses`, `admin:write` includes `admin:write:reports`.
 */
export function scopeAllows(granted: ReadonlySet<string>, needed: string): boolean {
  for (const scope of needed.split('|')) {
    if (granted.has(scope)) return true;
    if (scope.includes(':') && granted.has(scope.slice(0, scope.lastIndexOf(':')))) return true;
    if (granted.has('follow') && followScopes.has(scope)) return true;
  }
  return false;
}

/** Parses scopes separated by spaces (or `+`, as some clients send them). Each is returned once, in order. */
export function parseScopes(text: string): string[] {
  return [...new Set(text.split(/[\s+]+/).filter((scope) => scope !== ''))];
}

/** Returns the scopes that do not exist. */
export function unknownScopes(scopes: readonly string[]): string[] {
  return scopes.filter((scope) => !scopeDescriptions.has(scope));
}

/**
 * Returns the scopes that an app gets: exactly those it requests, or undefined if it did not register them or wider ones.
 * Without requested scopes it gets `read`, or all that it registered if they do not include `read`.
 */
export function resolveScopes(registered: readonly string[], requested: string | undefined): string[] | undefined {
  const allowed = new Set(registered);
  const scopes = parseScopes(requested ?? '');
  if (scopes.length === 0) return scopeAllows(allowed, defaultScope) ? [defaultScope] : [...registered];
  return scopes.every((scope) => scopeDescriptions.has(scope) && scopeAllows(allowed, scope)) ? scopes : undefined;
}
