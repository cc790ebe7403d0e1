import type { RequestContext } from '../../platform/http/routes.ts';
import { isActivityProfile, parseMediaTypes, type MediaType } from '../documents/media-type.ts';

/** Returns whether a request asks for the ActivityPub document rather than for the page at the same address. */
export function wantsActivity(request: Pick<RequestContext, 'headers'>): boolean {
  let activity = 0;
  let page = 0;
  for (const media of parseMediaTypes(String(request.headers['accept'] ?? ''))) {
    if (isActivity(media)) activity = Math.max(activity, qualityOf(media));
    if (media.type === 'text/html' || media.type === 'application/xhtml+xml') page = Math.max(page, qualityOf(media));
  }
  // A list that names both in one breath is that of a server which resolves links.
  return activity > 0 && activity >= page;
}

/** Plain JSON and JSON-LD are asked for by servers that mean ActivityStreams; JSON-LD of another profile is not. */
function isActivity({ type, parameters }: MediaType): boolean {
  if (type === 'application/activity+json' || type === 'application/json') return true;
  const profile = parameters.get('profile');
  return type === 'application/ld+json' && (profile === undefined || isActivityProfile(profile));
}

function qualityOf({ parameters }: MediaType): number {
  const text = parameters.get('q') ?? '';
  return /^[01](?:\.\d*)?$/.test(text) ? Number(text) : 1;
}
