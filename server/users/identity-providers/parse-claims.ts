import type { SignInProvider } from '../../platform/sign-in-providers.ts';
import { cleanText, truncateText } from '../../text/index.ts';
import { emailErrors } from '../sign-up/check-sign-up.ts';
import { normalizeEmail } from '../sign-up/email-address.ts';
import type { ProviderClaims } from '../tables.ts';

/** Maximum length of a subject in UTF-16 units (OpenID Connect Core, 2). */
const maxSubjectLength = 255;
/** As that of profiles. */
const maxDisplayNameLength = 40;
const maxUsernameLength = 30;
/** A provider may name all groups of a large town; those that matter are few. */
const maxGroups = 1_000;

type ClaimSettings = Pick<SignInProvider, 'SUBJECT_CLAIM' | 'USERNAME_CLAIM' | 'GROUPS_CLAIM' | 'VERIFIED_EMAILS'>;

/**
 * Parses the claims of a person. Returns undefined without a usable subject. Every other claim that is missing, invalid
 * or of another type counts as absent.
 */
export function parseClaims(
  claims: Readonly<Record<string, unknown>>,
  provider: ClaimSettings,
): ProviderClaims | undefined {
  const subject = parseSubject(claims[provider.SUBJECT_CLAIM]);
  if (subject === undefined) return undefined;
  const email = parseEmail(claims['email']);
  const username = parseUsername(claims[provider.USERNAME_CLAIM]) ?? parseUsername(email?.split('@', 1)[0]);
  const displayName = parseText(claims['name']);
  const groups = parseGroups(findClaim(claims, provider.GROUPS_CLAIM));
  const sessionId = parseSubject(claims['sid']);
  return {
    subject,
    isEmailVerified: email !== undefined && (provider.VERIFIED_EMAILS || isTrue(claims['email_verified'])),
    ...(email !== undefined && { email }),
    ...(username !== undefined && { username }),
    ...(displayName !== undefined && { displayName: truncateText(displayName, maxDisplayNameLength) }),
    ...(groups !== undefined && { groups }),
    ...(sessionId !== undefined && { sessionId }),
  };
}

/** Some providers send numbers. Whitespace and control characters would let two people look like one. */
function parseSubject(value: unknown): string | undefined {
  const text = Number.isSafeInteger(value) ? String(value) : value;
  if (typeof text !== 'string' || text.length > maxSubjectLength) return undefined;
  return /^[^\s\p{C}]+(?: [^\s\p{C}]+)*$/u.test(text) ? text : undefined;
}

function parseEmail(value: unknown): string | undefined {
  const text = parseText(value);
  const email = text === undefined ? '' : normalizeEmail(text);
  return emailErrors(email).length === 0 ? email : undefined;
}

/** Some providers send booleans as texts. */
const isTrue = (value: unknown): boolean => value === true || value === 'true';

/** Returns a valid username that resembles a name; undefined if nothing is left of it. */
function parseUsername(value: unknown): string | undefined {
  const [name = ''] = (parseText(value) ?? '').split('@', 1);
  const plain = name.normalize('NFKD').replaceAll(/\p{M}/gu, '');
  const username = plain
    .replaceAll(/[^a-z0-9_]+/gi, '_')
    .replaceAll(/^_+|_+$/g, '')
    .slice(0, maxUsernameLength)
    .replace(/_+$/, '');
  return username === '' ? undefined : username;
}

function parseText(value: unknown): string | undefined {
  const text = typeof value === 'string' ? cleanText(value).replaceAll(/\s+/g, ' ').trim() : '';
  return text === '' ? undefined : text;
}

function parseGroups(value: unknown): string[] | undefined {
  const values = typeof value === 'string' ? [value] : value;
  if (!Array.isArray(values)) return undefined;
  return values.filter((group): group is string => typeof group === 'string').slice(0, maxGroups);
}

/** Finds a claim by its name, else by a path with dots into objects. */
function findClaim(claims: Readonly<Record<string, unknown>>, path: string): unknown {
  if (Object.hasOwn(claims, path)) return claims[path];
  let value: unknown = claims;
  for (const name of path.split('.')) {
    if (typeof value !== 'object' || value === null) return undefined;
    value = Object.entries(value).find(([key]) => key === name)?.[1];
  }
  return value;
}
