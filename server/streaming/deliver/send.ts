import { forEachInSlices } from '../../platform/batching/slices.ts';
import type { StreamEvent } from '../connections/stream-event.ts';
import type { Subscription } from '../connections/subscription.ts';

/** Sends an event to each of these streams. */
export async function sendToAll(subscriptions: Iterable<Subscription>, event: StreamEvent): Promise<void> {
  await forEachInSlices(subscriptions, ({ connection, label }) => connection.send(event, label));
}
