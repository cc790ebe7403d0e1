import type { RequestContext } from '../../platform/http/routes.ts';
import { isActivityProfile, parseMediaTypes, type MediaType } from '../documents/media-type.ts';

/** Whether a request prefers the ActivityPub document over the page with the same URL. */
export function wantsActivity(request: Pick<RequestContext, 'headers'>): boolean {
  let activity = 0;
  let page = 0;
  for (const media of parseMediaTypes(String(request.headers['accept'] ?? ''))) {
    if (isActivity(media)) activity = Math.max(activity, qualityOf(media));
    if (media.type === 'text/html' || media.type === 'application/xhtml+xml') page = Math.max(page, qualityOf(media));
  }
  // Servers that resolve links accept both equally.
  return activity > 0 && activity >= page;
}

/** Servers that accept plain JSON or JSON-LD mean ActivityStreams. JSON-LD with another profile is something else. */
function isActivity({ type, parameters }: MediaType): boolean {
  if (type === 'application/activity+json' || type === 'application/json') return true;
  const profile = parameters.get('profile');
  return type === 'application/ld+json' && (profile === undefined || isActivityProfile(profile));
}

function qualityOf({ parameters }: MediaType): number {
  const text = parameters.get('q') ?? '';
  return /^[01](?:\.\d*)?$/.test(text) ? Number(text) : 1;
}
