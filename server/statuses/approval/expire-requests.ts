import {
  deleteUnansweredRequest,
  listUnansweredRequests,
  type InteractionRequestId,
} from '../../interactions/requests/index.ts';
import type { App } from '../../platform/app.ts';
import { transaction } from '../../platform/write/transaction.ts';
import { idFromDate } from '../../platform/ids.ts';
import type { Schedule } from '../../platform/work/run-schedules.ts';
import { decideRequest } from './decide-request.ts';

/** Age at which the request to a local author is rejected, in days. */
const localLifetimeDays = 30;
/** For requests to remote authors, whose servers may reject them first. */
const remoteLifetimeDays = 37;
const batchSize = 100;
/** Batches of one run. The next run continues. */
const maxBatches = 50;

/**
 * Ends requests that nobody answers. Those to local authors are rejected, as if the author had. Those to remote authors
 * are withdrawn: a reply stays a private post to the author of its parent, because nobody refused it.
 */
export const expireRequests: Schedule = {
  name: 'status.expire_interaction_requests',
  pattern: '23 * * * *',
  async run(app) {
    await expire(app, { isAuthorLocal: true, days: localLifetimeDays }, (id) =>
      decideRequest(app, id, { state: 'rejected' }),
    );
    await expire(app, { isAuthorLocal: false, days: remoteLifetimeDays }, (id) =>
      transaction(app, (tx) => deleteUnansweredRequest(tx, id)),
    );
  },
};

interface Expiry {
  readonly isAuthorLocal: boolean;
  readonly days: number;
}

async function expire(
  app: App,
  { isAuthorLocal, days }: Expiry,
  end: (id: InteractionRequestId) => Promise<unknown>,
): Promise<void> {
  const before = idFromDate<'interaction-request'>(new Date(app.clock.now().getTime() - days * 86_400_000));
  for (let batch = 0; batch < maxBatches; batch += 1) {
    const ids = await listUnansweredRequests(app, { isAuthorLocal, before, limit: batchSize });
    for (const id of ids) await end(id);
    if (ids.length < batchSize) return;
  }
}
