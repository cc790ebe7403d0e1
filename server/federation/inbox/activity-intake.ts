import type { App } from '../../platform/app.ts';
import { intakeOf } from '../../platform/work/intake.ts';
import type { AcceptedActivity } from './accept-activity.ts';
import type { ClaimedActivity } from './claim-activities.ts';
import { hostOf } from '../documents/values.ts';

/** Longer activities wait for a claim, so that those in memory stay small. */
const maxStartedLength = 100_000;
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

/** Reserves room for an activity. Returns undefined if it has to be claimed. */
export function reserveActivity(app: App, { body }: Pick<AcceptedActivity, 'body'>): ActivityReservation | undefined {
  const room = intakeOf<ClaimedActivity>(app, 'inbox')?.room;
  if (room === undefined || body.length > maxStartedLength || !room.reserve(1)) return undefined;
  return {
    start: (activity, lease) => room.start([toClaimed(activity, lease)]),
    cancel: () => room.cancel(1),
  };
}

function toClaimed(activity: AcceptedActivity, { id, holder }: ActivityLease): ClaimedActivity {
  const { actorUri, signerUri, inboxAccountId = null, forwarded, body, fetchBudgetId } = activity;
  const signerHost = hostOf(signerUri) ?? '';
  const row = { actorUri, signerUri, signerHost, inboxAccountId, forwarded, body, fetchBudgetId };
  return { ...row, id, holder, attempts: 1 };
}
