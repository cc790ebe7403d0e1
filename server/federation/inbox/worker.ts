import { perApp, type App } from '../../platform/app.ts';
import { Problem } from '../../platform/http/problems.ts';
import type { Worker } from '../../platform/jobs/worker.ts';
import { DocumentError } from '../documents/parse-document.ts';
import { FetchError } from '../fetch/fetch-document.ts';
import {
  claimActivities,
  failActivity,
  finishActivities,
  releaseActivities,
  type ClaimedActivity,
} from './claim-activities.ts';
import { processActivity } from './process-activity.ts';

const mostActorsAtOnce = 100;

/** Whose activities this process is acting upon at the moment. */
class Readers {
  readonly busy = new Set<string>();
  #progress = Promise.withResolvers<void>();
  #done: ClaimedActivity[] = [];

  get progress(): Promise<void> {
    return this.#progress.promise;
  }

  finish(activities: readonly ClaimedActivity[]): void {
    this.#done.push(...activities);
  }

  leave(actorUri: string): void {
    this.busy.delete(actorUri);
    this.#progress.resolve();
    this.#progress = Promise.withResolvers();
  }

  takeDone(): ClaimedActivity[] {
    return this.#done.splice(0);
  }
}

const readers = perApp(() => new Readers());

/** Acts upon accepted activities: in order for each actor, side by side for different ones, who do not wait for each other. */
export const inboxWorker: Worker = {
  name: 'inbox',
  async run(app) {
    const state = readers(app);
    const claimed = state.busy.size < mostActorsAtOnce ? await claimActivities(app, [...state.busy]) : [];
    for (const [actorUri, activities] of Map.groupBy(claimed, (activity) => activity.actorUri)) {
      state.busy.add(actorUri);
      actInOrder(app, state, activities)
        .catch((error: unknown) => app.reportJobFailure('inbox', error))
        .finally(() => state.leave(actorUri))
        .catch(() => {});
    }
    const isWaiting = state.busy.size > 0;
    if (isWaiting) await state.progress;
    // What ends in the same moment is settled in one statement.
    await new Promise((resolve) => setImmediate(resolve));
    const done = state.takeDone();
    await finishActivities(app, done);
    return Math.max(claimed.length, done.length, isWaiting ? 1 : 0);
  },
};

async function actInOrder(app: App, state: Readers, activities: readonly ClaimedActivity[]): Promise<void> {
  for (const [index, activity] of activities.entries()) {
    try {
      await act(app, activity);
      state.finish([activity]);
    } catch (error) {
      app.reportJobFailure('inbox', error);
      await failActivity(app, activity, error);
      return releaseActivities(app, activities.slice(index + 1));
    }
  }
}

/** Acts upon one activity. What it may not do, or what is about things that do not exist here, is dropped in silence. */
async function act(app: App, activity: ClaimedActivity): Promise<void> {
  try {
    await processActivity(app, activity);
  } catch (error) {
    const isFinal =
      error instanceof Problem || error instanceof DocumentError || (error instanceof FetchError && !error.temporary);
    if (!isFinal) throw error;
    app.log.debug({ err: error, actor: activity.actorUri }, 'an activity was dropped');
  }
}
