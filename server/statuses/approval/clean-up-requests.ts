import { accountDeleted } from '../../accounts/index.ts';
import {
  deleteAccountRequests,
  deletePendingRequestsOf,
  interactionDecided,
} from '../../interactions/requests/index.ts';
import { transaction } from '../../platform/database/transaction.ts';
import { beforeCommit, on, type Subscription } from '../../platform/events/reactions.ts';
import { statusDeleted } from '../events.ts';
import { deleteStatus } from '../post/delete-status.ts';

/** Requests that one transaction deletes. */
const batchSize = 500;

const deleteRejectedReply = on([interactionDecided], {
  name: 'status.delete_rejected_reply',
  run: async (app, { state, replyId }) => {
    if (state === 'rejected' && replyId !== null) await deleteStatus(app, replyId);
  },
});

const deleteRequestsOfStatus = beforeCommit([statusDeleted], {
  run: (tx, _app, { statusId }) => deletePendingRequestsOf(tx, statusId),
});

const deleteRequestsOfAccount = on([accountDeleted], {
  name: 'status.delete_interaction_requests',
  queue: 'background',
  run: async (app, { accountId }) => {
    while ((await transaction(app, (tx) => deleteAccountRequests(tx, accountId, batchSize))) === batchSize);
  },
});

export const approvalSubscriptions: readonly Subscription[] = [
  deleteRejectedReply,
  deleteRequestsOfStatus,
  deleteRequestsOfAccount,
];
