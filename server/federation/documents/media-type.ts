import { parse as parseMediaType } from 'content-type';

const activityStreams = 'https://www.w3.org/ns/activitystreams';

/**
 * Whether a media type is that of ActivityStreams: `application/activity+json`, or `application/ld+json` with its URI
 * among the space-separated profiles. Plain JSON and JSON-LD are not, because an upload could have them.
 */
export function isActivityType(contentType: string | undefined): boolean {
  const { type, parameters } = parseMediaType(contentType ?? '');
  if (type === 'application/activity+json') return true;
  return type === 'application/ld+json' && isActivityProfile(parameters['profile']);
}

/** Whether a media type is JSON-LD without a profile. */
export function hasBareJsonLdType(contentType: string | undefined): boolean {
  const { type, parameters } = parseMediaType(contentType ?? '');
  return type === 'application/ld+json' && parameters['profile'] === undefined;
}

/** Whether the value of a `profile` parameter includes ActivityStreams. */
export function isActivityProfile(profile: string | undefined): boolean {
  return profile?.trim().split(/\s+/).includes(activityStreams) ?? false;
}
