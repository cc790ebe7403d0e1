import type { App } from '../../platform/app.ts';
import { HttpError } from '../../platform/http/http-errors.ts';
import { createClaimWorker } from '../../platform/work/claim-loop.ts';
import { inStoredTrace } from '../../platform/tracing/span.ts';
import type { Task } from '../../platform/work/lanes.ts';
import { DocumentError } from '../documents/parse-document.ts';
import { FetchError } from '../fetch/fetch-document.ts';
import {
  claimActivities,
  freeActivities,
  recordActivities,
  renewActivities,
  type ActivityOutcome,
  type ClaimedActivity,
} from './claim-activities.ts';
import { processActivity } from './process-activity.ts';

/**
 * Processes accepted activities, in order per signer and concurrently across signers. An activity that waits for
 * another host delays only its signer.
 */
export const inboxWorker = createClaimWorker<ClaimedActivity, ActivityOutcome>({
  name: 'inbox',
  limits: { fastLanes: 120, slowLanes: 256, reservedLanes: 10, batchSize: 50, rowsPerLane: 1, slowAfterMs: 500 },
  claim: claimActivities,
  freesRows: ({ kind }) => kind !== 'done',
  buildTasks: (app, activities) =>
    [...Map.groupBy(activities, ({ signerUri }) => signerUri).values()].map((lane) => new SignerTask(app, lane)),
  recordOutcomes: recordActivities,
  renewLeases: renewActivities,
  releaseLeases: freeActivities,
});

/** The claimed activities of one signer. */
class SignerTask implements Task<ActivityOutcome> {
  readonly lane: string;
  readonly host: string;
  readonly #app: App;
  #pending: ClaimedActivity[];
  #current: ClaimedActivity | undefined;

  constructor(app: App, activities: readonly ClaimedActivity[]) {
    this.#app = app;
    this.#pending = [...activities];
    this.lane = activities[0]?.signerUri ?? '';
    this.host = activities[0]?.signerHost ?? '';
  }

  get leases(): ClaimedActivity[] {
    return this.#current === undefined ? this.#pending : [this.#current, ...this.#pending];
  }

  async run(report: (outcome: ActivityOutcome) => void): Promise<readonly Task<ActivityOutcome>[]> {
    for (let activity = this.#pending.shift(); activity !== undefined; activity = this.#pending.shift()) {
      this.#current = activity;
      const outcome = await toOutcome(this.#app, activity);
      if (outcome.kind === 'failed') for (const released of this.release()) report(released);
      report(outcome);
    }
    return [];
  }

  release(): ActivityOutcome[] {
    return this.#pending.splice(0).map((activity) => ({ kind: 'released', activity }));
  }
}

/** Processes one activity. Silently drops activities that are not permitted or about unknown objects. */
async function toOutcome(app: App, activity: ClaimedActivity): Promise<ActivityOutcome> {
  try {
    await inStoredTrace(
      app,
      () => describeActivity(activity),
      () => processActivity(app, activity),
    );
  } catch (error) {
    const isFinal =
      error instanceof HttpError || error instanceof DocumentError || (error instanceof FetchError && !error.temporary);
    if (!isFinal) {
      app.reportJobFailure('inbox', error);
      return { kind: 'failed', activity, error };
    }
    app.log.debug({ err: error, actor: activity.actorUri }, 'an activity was dropped');
  }
  return { kind: 'done', activity };
}

const describeActivity = ({ signerHost, attempts, traceParent }: ClaimedActivity) =>
  ({
    name: 'process activity',
    kind: 'consumer',
    attributes: {
      'messaging.system': 'fieldfare',
      'messaging.operation.type': 'process',
      'messaging.operation.name': 'process',
      'messaging.destination.name': 'inbox',
      'fieldfare.sender.host': signerHost,
      'fieldfare.job.attempt': attempts,
    },
    traceParent,
  }) as const;
