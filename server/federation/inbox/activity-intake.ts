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
  /** Frees the room: the activity waits for a claim, or its transaction failed with `error`. */
  cancel(error?: unknown): void;
}

/** Reserves room for an activity. Returns undefined if it has to be claimed. */
export function reserveActivity(app: App, { body }: Pick<AcceptedActivity, 'body'>): ActivityReservation | undefined {
  const intake = intakeOf<ClaimedActivity>(app, 'inbox');
  if (intake === undefined || body.length > maxStartedLength || !intake.room.reserve(1)) return undefined;
  return {
    start: (activity, lease) => intake.room.start([toClaimed(activity, lease)]),
    cancel: (error) => intake.cancel(1, error),
  };
}

function toClaimed(activity: AcceptedActivity, { id, holder }: ActivityLease): ClaimedActivity {
  const { actorUri, signerUri, inboxAccountId = null, forwarded, body, fetchBudgetId, traceParent } = activity;
  const signerHost = hostOf(signerUri) ?? '';
  const row = { actorUri, signerUri, signerHost, inboxAccountId, forwarded, body, fetchBudgetId, traceParent };
  return { ...row, id, holder, attempts: 1 };
}
