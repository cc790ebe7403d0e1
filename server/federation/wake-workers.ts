import { afterCommit, type Subscription } from '../platform/events/reactions.ts';
import { activitiesAccepted, deliveriesScheduled } from './events.ts';

/** Wakes the workers for the rows that a transaction stored. */
export const workerWakeups: readonly Subscription[] = [
  afterCommit([activitiesAccepted], { runBatch: (app) => app.wakeWorkers(['inbox']) }),
  afterCommit([deliveriesScheduled], { runBatch: (app) => app.wakeWorkers(['deliveries']) }),
];
