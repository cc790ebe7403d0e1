import { perApp, type App } from '../app.ts';
import { reportTemporaryFailure } from '../temporary-failures.ts';
import { gapChannel } from '../bus/bus.ts';
import { defineChannel } from '../bus/channel.ts';
import { mayHide, type DomainEvent } from './define-event.ts';
import type { Publish } from './subscriptions.ts';
import { urgentWork } from './urgent-work.ts';

/** The events of a transaction that something in every process reacts to. */
const committedEvents = defineChannel<(readonly [event: string, data: unknown])[]>('cache:events');

/**
 * Sends committed events to the caches and the `publish` reactions of every process. The caches of this process have
 * reacted when it returns, and its reactions have begun.
 */
export function publishEvents(app: App, events: readonly DomainEvent[]): void {
  const { subscriptions } = app;
  const relevant = events.filter(
    ({ name }) =>
      app.isPartial ||
      subscriptions.cachesOf(name).length > 0 ||
      subscriptions.publish(name).some(({ onlyHere }) => !onlyHere) ||
      (app.config.DATABASE_REPLICA_URLS !== undefined && mayHide(name)),
  );
  const messages = relevant.map(({ name, data }) => [name, data] as const);
  if (messages.length > 0) committedEvents.publish(app, messages);
  const here = events.flatMap(({ name }) => subscriptions.publish(name).filter(({ onlyHere }) => onlyHere));
  const all = events.map(({ name, data }) => [name, data] as const);
  for (const reaction of new Set(here)) void react(app, reaction, all);
}

/** Connects the caches and the `publish` reactions of an App to the bus. */
export function receiveEvents(app: App): void {
  committedEvents.subscribe(app, (events) => {
    if (events.some(([event]) => mayHide(event))) app.replicas?.writes.record();
    for (const [event, data] of events)
      for (const cache of app.subscriptions.cachesOf(event)) cache.react(app, event, data);
    const reactions = new Set(events.flatMap(([event]) => app.subscriptions.publish(event)));
    for (const reaction of reactions)
      if (!reaction.onlyHere) for (const work of react(app, reaction, events)) urgentWork(app).add(work);
  });
  app.bus.onGap(() => {
    app.replicas?.writes.reset();
    clearCaches(app);
  });
}

/** PostgreSQL may still be at work on a commit whose connection broke. */
const unknownCommitMs = 2_000;
const unknownCommits = perApp((): { timer?: NodeJS.Timeout | undefined } => ({}));

/**
 * Clears the caches of every process, at once and a moment later, because a commit without an answer may have taken effect.
 * Its events are not published: what it stored is unknown.
 */
export function reportUnknownCommit(app: App): void {
  app.bus.publish(gapChannel, null);
  const pending = unknownCommits(app);
  pending.timer ??= setTimeout(() => {
    pending.timer = undefined;
    app.bus.publish(gapChannel, null);
  }, unknownCommitMs).unref();
}

/** Clears all caches that rely on events, after some may have been lost. */
export function clearCaches(app: App): void {
  for (const cache of app.subscriptions.caches) if (cache.events.length > 0) cache.clear(app);
}

/** Returns what the reaction has begun. It does not reject: errors are only logged. */
function react(
  app: App,
  reaction: Publish,
  events: readonly (readonly [event: string, data: unknown])[],
): readonly Promise<void>[] {
  const logError = (error: unknown): void => {
    if (!reportTemporaryFailure(app, error))
      app.log.error({ err: error, events: reaction.events }, 'a reaction after the commit failed');
  };
  const data = events.filter(([event]) => reaction.events.includes(event)).map(([, each]) => each);
  try {
    return reaction.runBatch(app, data).map((work) => work.catch(logError));
  } catch (error) {
    logError(error);
    return [];
  }
}
