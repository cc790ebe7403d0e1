import { hash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';

/** Returns a weak entity tag of a body: weak, because the body may be compressed. */
export const weakEtag = (body: string | Buffer): string => `W/"${hash('sha256', body, 'base64url').slice(0, 22)}"`;

/** Returns whether the client has this version of a response (RFC 9110, section 13.1.2). */
export function matchesEtag(headers: Pick<IncomingHttpHeaders, 'if-none-match'>, etag: string): boolean {
  const { 'if-none-match': known } = headers;
  if (known === undefined) return false;
  const opaque = withoutWeakness(etag);
  return known.split(',').some((tag) => ['*', opaque].includes(withoutWeakness(tag.trim())));
}

/** Tags are compared weakly: `W/"a"` is `"a"`. */
const withoutWeakness = (tag: string): string => (tag.startsWith('W/') ? tag.slice(2) : tag);
