import { perApp, type App } from '../../platform/app.ts';
import type { Room } from '../../platform/work/accepted-items.ts';
import { leaseHolder } from '../../platform/work/lease-holder.ts';
import type { AcceptedActivity } from './accept-activity.ts';
import type { ClaimedActivity } from './claim-activities.ts';
import { hostOf } from '../documents/values.ts';

/** The room of the inbox worker of this process, if it has one. */
const rooms = perApp((): { room?: Room<ClaimedActivity> } => ({}));

/** Longer activities wait for a claim, so that those in memory stay small. */
const maxStartedLength = 100_000;
/** Shorter than the lease of a claim, as for jobs: nobody knows of the row if the connection breaks at the commit. */
const leaseSeconds = 120;

/** The lease with which an activity is stored. */
export interface ActivityLease {
  readonly id: string;
  readonly holder: string;
}

/** Room for one activity that this process is about to store. */
export interface ActivityReservation {
  /** Processes the activity, after the commit. */
  start(activity: AcceptedActivity, lease: ActivityLease): void;
  /** Frees the room: the activity was not stored, or waits for a claim. */
  cancel(): void;
}

/** Lets requests of this process hand over the activities that they store. */
export function openActivityIntake(app: App, room: Room<ClaimedActivity>): void {
  rooms(app).room = room;
}

/** Reserves room for an activity. Returns undefined if it has to be claimed. */
export function reserveActivity(app: App, { body }: Pick<AcceptedActivity, 'body'>): ActivityReservation | undefined {
  const { room } = rooms(app);
  if (room === undefined || body.length > maxStartedLength || !room.reserve(1)) return undefined;
  return {
    start: (activity, lease) => room.start([toClaimed(activity, lease)]),
    cancel: () => room.cancel(1),
  };
}

/** Returns the lease of activities that are stored now. */
export const newActivityLease = (app: App): { holder: string; leasedUntil: Date } => ({
  holder: leaseHolder(app).id,
  leasedUntil: new Date(app.clock.now().getTime() + leaseSeconds * 1000),
});

function toClaimed(activity: AcceptedActivity, { id, holder }: ActivityLease): ClaimedActivity {
  const { actorUri, signerUri, inboxAccountId = null, forwarded, body, fetchBudgetId } = activity;
  const signerHost = hostOf(signerUri) ?? '';
  const row = { actorUri, signerUri, signerHost, inboxAccountId, forwarded, body, fetchBudgetId };
  return { ...row, id, holder, attempts: 1 };
}
