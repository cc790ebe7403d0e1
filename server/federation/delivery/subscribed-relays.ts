import type { App } from '../../platform/app.ts';
import { LoadingCache } from '../../platform/caching/cache.ts';
import { evictAll } from '../../platform/caching/cache-reactions.ts';
import { preparedQuery } from '../../platform/database/prepared-query.ts';
import { isSameHost } from '../documents/values.ts';
import { relaysChanged } from '../events.ts';
import type { RelayRow } from '../tables.ts';

const subscribedRows = preparedQuery<RelayRow>()((db) =>
  db.selectFrom('relays').selectAll().where('state', 'in', ['pending', 'accepted']),
);

export const subscribedCache = new LoadingCache<'relays', readonly RelayRow[]>({
  name: 'federation.relays',
  maxSize: 1,
  ttlMs: 60_000,
  load: (app) => subscribedRows(app, {}),
  evictOn: [evictAll(relaysChanged)],
});

const isAccepted = ({ state }: RelayRow): boolean => state === 'accepted';

/** Returns the relays that accepted the subscription. Cached. */
export async function listAcceptedRelays(app: App): Promise<readonly RelayRow[]> {
  return (await subscribedCache.get(app, 'relays')).filter(isAccepted);
}

/** Returns the relays that accepted the subscription, if they are cached. */
export const peekAcceptedRelays = (app: App): readonly RelayRow[] | undefined =>
  subscribedCache.peek(app, 'relays')?.filter(isAccepted);

/**
 * Returns the relay with this actor, if it accepted the subscription. The actor of an imported relay is not known: any actor
 * on its host counts, as for the answer to a Follow. Cached.
 */
export async function findRelayByActor(app: App, actorUri: string): Promise<RelayRow | undefined> {
  return (await listAcceptedRelays(app)).find((relay) =>
    relay.actor_uri === null
      ? relay.inbox_url !== null && isSameHost(relay.inbox_url, actorUri)
      : relay.actor_uri === actorUri,
  );
}

/** Returns the LitePub relay with this actor, also while it has not answered: it may follow back first. Cached. */
export async function findLitepubRelay(app: App, actorUri: string): Promise<RelayRow | undefined> {
  const relays = await subscribedCache.get(app, 'relays');
  return relays.find((relay) => relay.kind === 'litepub' && relay.actor_uri === actorUri);
}
