import type { App } from '../app.ts';
import { defineChannel } from '../events/channel.ts';
import type { DomainEvent } from '../events/define-event.ts';
import { clearCaches, isCacheEvent, reactToEvent } from './define-cache.ts';

/** The events of a transaction that caches react to. */
const cacheEvents = defineChannel<(readonly [event: string, data: unknown])[]>('cache:events');

/** Sends committed events to the caches of every process. The caches of this process have reacted when it returns. */
export function broadcastCacheEvents(app: App, events: readonly DomainEvent[]): void {
  const relevant = events.filter(({ name }) => app.isPartial || isCacheEvent(name));
  if (relevant.length > 0)
    cacheEvents.publish(
      app,
      relevant.map(({ name, data }) => [name, data] as const),
    );
}

/** Connects the caches of an App to the bus. */
export function connectCaches(app: App): void {
  cacheEvents.subscribe(app, (events) => {
    for (const [event, data] of events) reactToEvent(app, event, data);
  });
  app.bus.onGap(() => clearCaches(app));
}
