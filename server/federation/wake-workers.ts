import { publish } from '../platform/write/reactions.ts';
import type { Subscription } from '../platform/write/subscriptions.ts';
import { activitiesAccepted, deliveriesScheduled } from './events.ts';

/** Wakes the workers for the rows that a transaction stored. */
export const workerWakeups: readonly Subscription[] = [
  publish([activitiesAccepted], { onlyHere: true, runBatch: (app) => app.wakeWorkers(['inbox']) }),
  publish([deliveriesScheduled], { onlyHere: true, runBatch: (app) => app.wakeWorkers(['deliveries']) }),
];
