import { message, type Message } from '../platform/i18n/message.ts';

/** The description of an OAuth scope. */
export interface ScopeDescription {
  /** Finishes the sentence "This app will be able to …" on the consent page. */
  readonly summary: Message;
  /** Marked on the consent page: the app can change a lot, act in the user's name or read data of others. */
  readonly dangerous: boolean;
}

/** Every scope, in the order of the consent page. */
export const allScopes = [
  'profile',
  'read',
  'read:accounts',
  'read:blocks',
  'read:bookmarks',
  'read:collections',
  'read:favourites',
  'read:filters',
  'read:follows',
  'read:lists',
  'read:mutes',
  'read:notifications',
  'read:search',
  'read:statuses',
  'write',
  'write:accounts',
  'write:blocks',
  'write:bookmarks',
  'write:collections',
  'write:conversations',
  'write:favourites',
  'write:filters',
  'write:follows',
  'write:lists',
  'write:media',
  'write:mutes',
  'write:notifications',
  'write:reports',
  'write:statuses',
  'follow',
  'push',
  'admin:read',
  'admin:read:accounts',
  'admin:read:reports',
  'admin:read:domain_allows',
  'admin:read:domain_blocks',
  'admin:read:ip_blocks',
  'admin:read:email_domain_blocks',
  'admin:read:canonical_email_blocks',
  'admin:write',
  'admin:write:accounts',
  'admin:write:reports',
  'admin:write:domain_allows',
  'admin:write:domain_blocks',
  'admin:write:ip_blocks',
  'admin:write:email_domain_blocks',
  'admin:write:canonical_email_blocks',
] as const;

type Scope = (typeof allScopes)[number];

const isScope = (text: string): text is Scope => (allScopes as readonly string[]).includes(text);

const dangerousScopes: ReadonlySet<string> = new Set<Scope>(['write', 'write:accounts', 'write:statuses', 'follow']);

/** The scope of a request without scopes (reference/limits.tsv). */
export const defaultScope = 'read';

/** Returns the description of a scope; undefined if there is no such scope. */
export function describeScope(scope: string): ScopeDescription | undefined {
  if (!isScope(scope)) return undefined;
  return {
    summary: message(`scopes.${scope}`),
    dangerous: dangerousScopes.has(scope) || scope.startsWith('admin:'),
  };
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
  return scopes.filter((scope) => !isScope(scope));
}

/**
 * Returns the scopes that an app gets: exactly those it requests, or undefined if it did not register them or wider ones.
 * Without requested scopes it gets `read`, or all that it registered if they do not include `read`.
 */
export function resolveScopes(registered: readonly string[], requested: string | undefined): string[] | undefined {
  const allowed = new Set(registered);
  const scopes = parseScopes(requested ?? '');
  if (scopes.length === 0) return scopeAllows(allowed, defaultScope) ? [defaultScope] : [...registered];
  return scopes.every((scope) => isScope(scope) && scopeAllows(allowed, scope)) ? scopes : undefined;
}
