import { actorUrls } from '../../accounts/index.ts';
import {
  interactionDecided,
  interactionRequested,
  interactionWithdrawn,
  type InteractionRequestId,
} from '../../interactions/requests/index.ts';
import type { Subscription } from '../../platform/write/subscriptions.ts';
import type { App } from '../../platform/app.ts';
import { transaction, type Transaction } from '../../platform/write/transaction.ts';
import type { AccountId, StatusId } from '../../platform/ids.ts';
import { isPublicOrUnlisted, staysHere } from '../../statuses/visibility/index.ts';
import { announce, undo } from '../documents/activities.ts';
import { acceptInteraction, deleteAuthorization, rejectInteraction } from '../documents/approval-documents.ts';
import { interactionContext, noteContext } from '../documents/contexts.ts';
import { findRequestedInteraction, type RequestedInteraction } from '../interaction-details.ts';
import { accountInboxes, followerInboxes, interactionInboxes, mentionedInboxes } from './inboxes.ts';
import { onLocal } from './on-local.ts';
import { storeActivity } from './store-activity.ts';

const answers = { accepted: acceptInteraction, rejected: rejectInteraction, revoked: deleteAuthorization };

/** Sends a decision of a local author to the server of the account that interacts, and a revocation also to others. */
async function deliverDecision(
  app: App,
  { requestId, state }: { readonly requestId: InteractionRequestId; readonly state: keyof typeof answers },
): Promise<void> {
  const request = await findRequestedInteraction(app.db, { id: requestId });
  if (request === undefined || staysHere(request.targetVisibility)) return;
  const activity = answers[state](request);
  await transaction(app, async (tx) =>
    storeActivity(tx, app, {
      senderId: request.authorId,
      activity,
      context: interactionContext,
      inboxes: [...toList(request.actorInbox), ...(state === 'revoked' ? await listWitnesses(tx, request) : [])],
      orderKey: `interaction ${request.uri}`,
    }),
  );
}

const toList = (inbox: string | null): string[] => (inbox === null ? [] : [inbox]);

/** Returns the inboxes of the servers that may have an accepted reply or reblog with its authorization. */
async function listWitnesses({ db }: Transaction, request: RequestedInteraction): Promise<string[]> {
  const { kind, replyId, authorId, targetVisibility } = request;
  if (kind === 'favourite') return [];
  return [
    ...(replyId === null ? [] : await mentionedInboxes(db, replyId)),
    ...(replyId === null ? [] : await interactionInboxes(db, replyId)),
    ...(isPublicOrUnlisted(targetVisibility) ? await followerInboxes(db, authorId) : []),
  ];
}

/** Sends a reblog that waits for a remote author to the author only. */
async function deliverReblogRequest(app: App, { requestId }: { requestId: InteractionRequestId }): Promise<void> {
  const request = await findRequestedInteraction(app.db, { id: requestId });
  if (request?.state !== 'pending' || request.authorInbox === null || request.visibility === null) return;
  const { uri, actor, target, author, visibility, createdAt } = request;
  const { followers } = actorUrls(app, actor);
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
