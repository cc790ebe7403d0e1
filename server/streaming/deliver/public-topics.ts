import { isInPublicTimelines, isInTagTimelines } from '../../timelines/index.ts';
import type { PublicStatusFacts } from '../../statuses/many-viewers/index.ts';
import type { PublicStream, StreamHub } from '../connections/hub.ts';
import type { Subscription } from '../connections/subscription.ts';

/** Returns the subscriptions of the public and hashtag streams that a status belongs to, whoever reads them. */
export function findPublicSubscriptions(hub: StreamHub, status: PublicStatusFacts): Subscription[] {
  const found: Subscription[] = [];
  if (isInPublicTimelines(status)) for (const name of publicStreamsOf(status)) found.push(...hub.publics.get(name));
  if (isInTagTimelines(status)) {
    for (const tag of status.tags) {
      found.push(...hub.tags.get(tag));
      if (status.local) found.push(...hub.localTags.get(tag));
    }
  }
  return found;
}

function publicStreamsOf({ local, hasMedia }: PublicStatusFacts): PublicStream[] {
  const origin = local ? 'public:local' : 'public:remote';
  return hasMedia ? ['public', origin, 'public:media', `${origin}:media`] : ['public', origin];
}
