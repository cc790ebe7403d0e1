import type { App } from '../app.ts';
import { defineChannel } from '../events/channel.ts';
import type { DomainEvent } from '../events/define-event.ts';
import type { EveryProcess } from '../events/reactions.ts';
import { clearCaches, isCacheEvent, reactToEvent } from './define-cache.ts';

/** The events of a transaction that something in every process reacts to. */
const committedEvents = defineChannel<(readonly [event: string, data: unknown])[]>('cache:events');

/**
 * Sends committed events to the caches and the `everyProcess` reactions of every process. Those of this process have
 * reacted when it returns.
 */
export function broadcastEvents(app: App, events: readonly DomainEvent[]): void {
  const relevant = events.filter(
    ({ name }) => app.isPartial || isCacheEvent(name) || app.subscriptions.everyProcess(name).length > 0,
  );
  if (relevant.length > 0)
    committedEvents.publish(
      app,
      relevant.map(({ name, data }) => [name, data] as const),
    );
}

/** Connects the caches and the `everyProcess` reactions of an App to the bus. */
export function receiveEvents(app: App): void {
  committedEvents.subscribe(app, (events) => {
    for (const [event, data] of events) reactToEvent(app, event, data);
    const reactions = new Set<EveryProcess>();
    for (const [event] of events) for (const reaction of app.subscriptions.everyProcess(event)) reactions.add(reaction);
    for (const reaction of reactions) {
      reaction.runBatch(
        app,
        events.filter(([event]) => reaction.events.includes(event)).map(([, data]) => data),
      );
    }
  });
  app.bus.onGap(() => clearCaches(app));
}
