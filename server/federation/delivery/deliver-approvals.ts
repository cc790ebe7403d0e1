import { actorUrls } from '../../accounts/index.ts';
import {
  interactionDecided,
  interactionRequested,
  interactionWithdrawn,
  type InteractionRequestId,
} from '../../interactions/requests/index.ts';
import type { Subscription } from '../../platform/events/reactions.ts';
import type { App } from '../../platform/app.ts';
import { transaction } from '../../platform/database/transaction.ts';
import type { AccountId, StatusId } from '../../platform/ids.ts';
import { announce, undo } from '../documents/activities.ts';
import { acceptInteraction, rejectInteraction } from '../documents/approval-documents.ts';
import { interactionContext, noteContext } from '../documents/contexts.ts';
import { findRequestedInteraction } from '../interaction-details.ts';
import { accountInboxes } from './inboxes.ts';
import { onLocal } from './on-local.ts';
import { storeActivity } from './store-activity.ts';

/** Sends the decision of a local author to the server of the account that interacts. */
async function deliverDecision(app: App, { requestId }: { requestId: InteractionRequestId }): Promise<void> {
  const request = await findRequestedInteraction(app.db, requestId);
  if (request === undefined || request.state === 'pending' || request.actorInbox === null) return;
  const inboxes = [request.actorInbox];
  await transaction(app, (tx) =>
    storeActivity(tx, app, {
      senderId: request.authorId,
      activity: request.state === 'accepted' ? acceptInteraction(request) : rejectInteraction(request),
      context: interactionContext,
      inboxes,
      orderKey: `interaction ${request.uri}`,
    }),
  );
}

/** Sends a reblog that waits for a remote author to the author only. */
async function deliverReblogRequest(app: App, { requestId }: { requestId: InteractionRequestId }): Promise<void> {
  const request = await findRequestedInteraction(app.db, requestId);
  if (request?.state !== 'pending' || request.authorInbox === null || request.visibility === null) return;
  const { uri, actor, target, author, visibility, createdAt } = request;
  const { followers } = actorUrls(app, request.username);
  const inboxes = [request.authorInbox];
  await transaction(app, (tx) =>
    storeActivity(tx, app, {
      senderId: request.accountId,
      activity: announce({
        id: uri,
        actor,
        followers,
        published: createdAt,
        object: target,
        objectAuthor: author,
        visibility,
      }),
      context: noteContext,
      inboxes,
      orderKey: uri,
    }),
  );
}

interface Withdrawal {
  readonly uri: string | null;
  readonly statusId: StatusId;
  readonly accountId: AccountId;
  readonly authorId: AccountId;
}

/** Undoes a reblog that waited for a remote author. */
async function deliverWithdrawal(app: App, { uri, statusId, accountId, authorId }: Withdrawal): Promise<void> {
  const [actor, status, inboxes] = await Promise.all([
    app.db.selectFrom('accounts').select('uri').where('id', '=', accountId).executeTakeFirst(),
    app.db.selectFrom('statuses').select('uri').where('id', '=', statusId).executeTakeFirst(),
    accountInboxes(app.db, [authorId]),
  ]);
  if (uri === null || actor === undefined || status === undefined) return;
  const activity = undo(actor.uri, { id: uri, type: 'Announce', actor: actor.uri, object: status.uri });
  await transaction(app, (tx) => storeActivity(tx, app, { senderId: accountId, activity, inboxes, orderKey: uri }));
}

const isReblog = ({ kind }: { readonly kind: string }): boolean => kind === 'reblog';

export const approvalDeliveries: readonly Subscription[] = [
  ...onLocal([interactionDecided], {
    name: 'interaction.deliver_decision',
    run: deliverDecision,
    actorOf: ({ authorId }) => authorId,
  }),
  ...onLocal([interactionRequested], {
    name: 'interaction.deliver_reblog_request',
    run: deliverReblogRequest,
    when: isReblog,
  }),
  ...onLocal([interactionWithdrawn], {
    name: 'interaction.deliver_withdrawal',
    run: deliverWithdrawal,
    when: isReblog,
  }),
];
