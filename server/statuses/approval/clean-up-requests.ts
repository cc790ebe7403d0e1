import type { Static } from 'typebox';
import { accountDeleted } from '../../accounts/index.ts';
import {
  deleteAccountRequests,
  deletePendingRequestsOf,
  interactionDecided,
  listRequestsBetween,
} from '../../interactions/requests/index.ts';
import { transaction } from '../../platform/write/transaction.ts';
import { inTransaction, later } from '../../platform/write/reactions.ts';
import type { Subscription } from '../../platform/write/subscriptions.ts';
import { accountBlocked } from '../../relationships/index.ts';
import { statusDeleted } from '../events.ts';
import { deletedIds, importedStatusesDeleted } from '../imported/deleted-event.ts';
import { deleteStatus } from '../post/delete-status.ts';
import { decideRequest } from './decide-request.ts';
import { revokeRequest } from './revoke-request.ts';

type Decided = Static<typeof interactionDecided.schema>;

/** Requests that one statement selects or deletes. */
const batchSize = 500;

const deleteRejectedReply = later('default', [interactionDecided], {
  name: 'status.delete_rejected_reply',
  when: isRejectedReply,
  run: async (app, { replyId }) => {
    if (replyId !== null) await deleteStatus(app, replyId);
  },
});

function isRejectedReply({ state, replyId }: Decided): boolean {
  return state === 'rejected' && replyId !== null;
}

const deleteRequestsOfStatuses = inTransaction([statusDeleted, importedStatusesDeleted], {
  runBatch: (tx, _app, deleted) => deletePendingRequestsOf(tx, deleted.flatMap(deletedIds)),
});

const deleteRequestsOfAccount = later('background', [accountDeleted], {
  name: 'status.delete_interaction_requests',
  run: async (app, { accountId }) => {
    while ((await transaction(app, (tx) => deleteAccountRequests(tx, accountId, batchSize))) === batchSize);
  },
});

/** A block withdraws the consent of a local author: to what waits, and to what was accepted. */
const revokeRequestsOfBlocked = later('background', [accountBlocked], {
  name: 'status.remove_blocked_interactions',
  run: async (app, { accountId: authorId, targetAccountId: accountId }) => {
    for (;;) {
      const requests = await listRequestsBetween(app, { authorId, accountId }, batchSize);
      for (const { id, state } of requests) {
        if (state === 'pending') await decideRequest(app, id, { state: 'rejected' });
        else await revokeRequest(app, id);
      }
      if (requests.length < batchSize) return;
    }
  },
});

export const approvalSubscriptions: readonly Subscription[] = [
  deleteRejectedReply,
  deleteRequestsOfStatuses,
  deleteRequestsOfAccount,
  revokeRequestsOfBlocked,
];
