import type { App } from '../../platform/app.ts';
import { StoredFetchBudget, withFetchBudget } from '../../platform/outgoing/fetch-budget.ts';
import { findRelayByActor } from '../delivery/subscribed-relays.ts';
import { isSameHost, typeOf } from '../documents/values.ts';
import { parseAndCompact } from '../fetch/fetch-document.ts';
import { enqueueRefreshIfStale } from '../fetch/resolve-account.ts';
import { deleteReceivedKey } from './accept-activity.ts';
import { repeatableKey } from './activity-key.ts';
import type { ClaimedActivity } from './claim-activities.ts';
import { takeEarlyUndo } from './early-undos.ts';
import { findForwarding, forwardActivity } from './forward-activity.ts';
import { addToGroups } from './add-to-groups.ts';
import type { ReceivedActivity } from './received-activity.ts';
import { receiveAccept, receiveReject } from './receive-accept-reject.ts';
import { receiveAnnounce } from './receive-announce.ts';
import { receiveBlock } from './receive-block.ts';
import { receiveFeatureRequest } from './receive-collections.ts';
import { receiveCreate } from './receive-create.ts';
import { receiveDelete } from './receive-delete.ts';
import { receiveAdd, receiveRemove } from './receive-featured.ts';
import { receiveFlag } from './receive-flag.ts';
import { receiveFollow } from './receive-follow.ts';
import { receiveForwarded } from './receive-forwarded.ts';
import { receiveInteractionRequest } from './receive-interaction-request.ts';
import { receiveLike } from './receive-like.ts';
import { receiveMove } from './receive-move.ts';
import { receiveQuoteRequest } from './receive-quote-request.ts';
import { receiveEmojiReact } from './receive-reaction.ts';
import { receiveUndo } from './receive-undo.ts';
import { receiveUpdate } from './receive-update.ts';
import { findAllowedActor } from './recheck-suspension.ts';

const handlers: Readonly<Record<string, (app: App, received: ReceivedActivity) => Promise<void>>> = {
  Accept: receiveAccept,
  Add: receiveAdd,
  Announce: receiveAnnounce,
  AnnounceRequest: receiveInteractionRequest,
  Block: receiveBlock,
  Create: receiveCreate,
  Delete: receiveDelete,
  EmojiReact: receiveEmojiReact,
  FeatureRequest: receiveFeatureRequest,
  Flag: receiveFlag,
  Follow: receiveFollow,
  Like: receiveLike,
  LikeRequest: receiveInteractionRequest,
  Move: receiveMove,
  QuoteRequest: receiveQuoteRequest,
  Reject: receiveReject,
  Remove: receiveRemove,
  ReplyRequest: receiveInteractionRequest,
  Undo: receiveUndo,
  Update: receiveUpdate,
};

/** Prefix of quote terms in documents whose context does not define them. */
const quoteTermPrefix = 'https://w3id.org/fep/044f#';

/**
 * Processes an accepted activity. Ignores unknown types. Throws an HttpError, FetchError or DocumentError for
 * activities that are not permitted or invalid, and other errors if it should be retried. All its requests, and those
 * of the jobs that it causes, use the fetch budget of the activity.
 */
export async function processActivity(root: App, claimed: ClaimedActivity): Promise<void> {
  const app = withFetchBudget(root, new StoredFetchBudget(root, claimed.fetchBudgetId ?? undefined));
  const activity = await parseAndCompact(claimed.body);
  if (claimed.forwarded) {
    const isRelayed = (await findRelayByActor(app, claimed.signerUri)) !== undefined;
    return receiveForwarded(app, activity, { isRelayed });
  }
  const type = (typeOf(activity) ?? '').replace(quoteTermPrefix, '');
  const receive = Object.hasOwn(handlers, type) ? handlers[type] : undefined;
  if (receive === undefined) return;
  const actor = await findAllowedActor(app, claimed.actorUri, type);
  if (actor === undefined || actor.domain === null) return;
  const key = repeatableKey(activity);
  if (key !== undefined && isSameHost(key, actor.uri)) await deleteReceivedKey(app, key);
  const received = { activity, actor, inboxAccountId: claimed.inboxAccountId };
  if (await takeEarlyUndo(app, received)) return;
  const forwarding = await findForwarding(app, activity);
  await receive(app, received);
  await addToGroups(app, { activity, actor });
  if (forwarding !== undefined) await forwardActivity(app, forwarding, { actor, activity, body: claimed.body });
  await enqueueRefreshIfStale(app, actor);
}
