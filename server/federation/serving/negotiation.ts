import { type ContentType, parse as parseMediaType } from 'content-type';
import type { RequestContext } from '../../platform/http/routes.ts';
import { isActivityProfile } from '../documents/media-type.ts';

/**
 * Whether a request prefers the ActivityPub document over the page with the same URL. Wildcards ask for the page. The
 * `negotiator` library does not fit: it compares parameters such as `profile` and `charset` as a whole.
 */
export function wantsActivity(request: Pick<RequestContext, 'headers'>): boolean {
  let activity = 0;
  let page = 0;
  for (const range of parseAccept(String(request.headers['accept'] ?? ''))) {
    if (isActivity(range)) activity = Math.max(activity, qualityOf(range));
    if (range.type === 'text/html' || range.type === 'application/xhtml+xml') page = Math.max(page, qualityOf(range));
  }
  // Servers that resolve links accept both equally.
  return activity > 0 && activity >= page;
}

function parseAccept(header: string): ContentType[] {
  const ranges: ContentType[] = [];
  for (let start = 0; start < header.length;) {
    const range = parseMediaType(header, { comma: true, start });
    ranges.push(range);
    start = range.index + 1;
  }
  return ranges;
}

/** Servers that accept plain JSON or JSON-LD mean ActivityStreams. JSON-LD with another profile is something else. */
function isActivity({ type, parameters }: ContentType): boolean {
  if (type === 'application/activity+json' || type === 'application/json') return true;
  const profile = parameters['profile'];
  return type === 'application/ld+json' && (profile === undefined || isActivityProfile(profile));
}

function qualityOf({ parameters }: ContentType): number {
  const text = parameters['q'] ?? '';
  return /^[01](?:\.\d*)?$/.test(text) ? Number(text) : 1;
}
