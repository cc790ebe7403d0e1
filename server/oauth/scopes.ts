/** What one OAuth scope lets an app do. */
export interface ScopeDescription {
  /** Finishes the sentence "This app will be able to …" on the consent page. */
  readonly summary: string;
  /** Marked on the consent page: it can change much, spend the user's name, or reach other people's data. */
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
    ['admin:read', dangerous('see everything that staff of this server see')],
    ...families.map(([name, what]): [string, ScopeDescription] => [
      `admin:read:${name}`,
      dangerous(`as staff, see ${what}`),
    ]),
    ['admin:write', dangerous('do everything that staff of this server may do')],
    ...families.map(([name, what]): [string, ScopeDescription] => [
      `admin:write:${name}`,
      dangerous(`as staff, take action on ${what}`),
    ]),
  ];
}

const scopeDescriptions: ReadonlyMap<string, ScopeDescription> = new Map<string, ScopeDescription>([
  ['profile', safe('see only your name, picture and address')],
  ['read', safe('read all of your account, including private posts and messages')],
  ['read:accounts', safe('see accounts and your own profile')],
  ['read:blocks', safe('see whom you block')],
  ['read:bookmarks', safe('see your bookmarks')],
  ['read:collections', safe('see your collections')],
  ['read:favourites', safe('see your favourites')],
  ['read:filters', safe('see your filters')],
  ['read:follows', safe('see whom you follow and who follows you')],
  ['read:lists', safe('see your lists')],
  ['read:mutes', safe('see whom you mute')],
  ['read:notifications', safe('see your notifications')],
  ['read:search', safe('search as you')],
  ['read:statuses', safe('see all posts that you can see, private ones included')],
  ['write', dangerous('change everything in your account: post, follow, edit your profile, delete')],
  ['write:accounts', dangerous('change your profile and your preferences')],
  ['write:blocks', safe('block accounts and servers')],
  ['write:bookmarks', safe('bookmark posts')],
  ['write:collections', safe('make and change collections')],
  ['write:conversations', safe('mute and delete conversations')],
  ['write:favourites', safe('favourite posts')],
  ['write:filters', safe('make and change filters')],
  ['write:follows', safe('follow and unfollow people')],
  ['write:lists', safe('make and change lists')],
  ['write:media', safe('upload files')],
  ['write:mutes', safe('mute people and conversations')],
  ['write:notifications', safe('clear your notifications')],
  ['write:reports', safe('report people')],
  ['write:statuses', dangerous('publish, change and delete posts in your name')],
  ['follow', dangerous('change whom you follow, block and mute')],
  ['push', safe('get your notifications pushed')],
  ...adminScopeDescriptions(),
]);

/** Every scope that an app may ask for, in the order in which they are shown. */
export const allScopes: readonly string[] = [...scopeDescriptions.keys()];

/** What is granted when no scope is named (reference/limits.tsv). */
export const defaultScope = 'read';

/** What `scope` lets an app do; undefined when there is no such scope. */
export function describeScope(scope: string): ScopeDescription | undefined {
  return scopeDescriptions.get(scope);
}

/** What the old `follow` scope stands for. */
const followScopes: ReadonlySet<string> = new Set(
  ['blocks', 'follows', 'mutes'].flatMap((name) => [`read:${name}`, `write:${name}`]),
);

/**
 * Says whether `granted` holds one of the scopes of `needed` (alternatives separated by `|`), itself or through a wider
 * one: `read` holds `read:statuses`, `admin:write` holds `admin:write:reports`, `follow` what it stands for.
 */
export function scopeAllows(granted: ReadonlySet<string>, needed: string): boolean {
  for (const scope of needed.split('|')) {
    if (granted.has(scope)) return true;
    if (scope.includes(':') && granted.has(scope.slice(0, scope.lastIndexOf(':')))) return true;
    if (granted.has('follow') && followScopes.has(scope)) return true;
  }
  return false;
}

/** The scopes of a text that separates them by spaces (or `+`, as some clients send them), each once, in order. */
export function parseScopes(text: string): string[] {
  return [...new Set(text.split(/[\s+]+/).filter((scope) => scope !== ''))];
}

/** Of `scopes`, those that do not exist. */
export function unknownScopes(scopes: readonly string[]): string[] {
  return scopes.filter((scope) => !scopeDescriptions.has(scope));
}

/**
 * The scopes that an app gets of those it asks for: exactly these when it registered them (or wider ones), undefined when
 * it asks for more. Without a wish it gets `read`, or what it registered when that does not hold `read`.
 */
export function resolveScopes(registered: readonly string[], requested: string | undefined): string[] | undefined {
  const allowed = new Set(registered);
  const scopes = parseScopes(requested ?? '');
  if (scopes.length === 0) return scopeAllows(allowed, defaultScope) ? [defaultScope] : [...registered];
  return scopes.every((scope) => scopeDescriptions.has(scope) && scopeAllows(allowed, scope)) ? scopes : undefined;
}
