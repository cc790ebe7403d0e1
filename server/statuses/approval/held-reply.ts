import { insertRequest, type InteractionRequestId } from '../../interactions/requests/index.ts';
import type { App } from '../../platform/app.ts';
import type { Transaction } from '../../platform/write/transaction.ts';
import { newId, type AccountId, type StatusId } from '../../platform/ids.ts';
import type { Visibility } from '../tables.ts';

interface Mention {
  readonly accountId: AccountId;
  readonly silent: boolean;
}

/** What a reply gets once the author of its parent accepts it. */
export interface HeldReply {
  readonly statusId: StatusId;
  readonly authorId: AccountId;
  readonly visibility: Visibility;
  readonly mentions: readonly Mention[];
  /** Id of the request that a remote server sent for it. */
  readonly requestUri?: string | undefined;
  /** The verified authorization by a remote author. */
  readonly authorizationUri?: string | undefined;
}

/**
 * Returns the visibility and the mentions of a reply while it waits: only its author and the author of its parent see it.
 */
export function heldAudience({ authorId }: HeldReply): { visibility: 'direct'; mentions: Mention[] } {
  return { visibility: 'direct', mentions: [{ accountId: authorId, silent: false }] };
}

/** A status that a reply answers, with the consent of its author. */
interface ConsentingParent {
  readonly id: StatusId;
  readonly accountId: AccountId;
  readonly consent?: 'open' | 'proven' | 'pending';
}

interface Audience {
  readonly visibility: Visibility;
  readonly mentions: readonly Mention[];
}

/** Returns the audience of a local reply, and the request for it. Direct replies need no approval. */
export function buildConsent(
  parent: ConsentingParent | undefined,
  audience: Audience,
): Audience & Pick<ReplyToStore, 'heldReply' | 'provenReply'> {
  if (parent?.consent === undefined || parent.consent === 'open') return audience;
  const reply = { statusId: parent.id, authorId: parent.accountId, ...audience };
  if (parent.consent === 'proven') return { ...audience, provenReply: reply };
  return audience.visibility === 'direct' ? audience : { ...heldAudience(reply), heldReply: reply };
}

/** A reply with its request, as it is stored. */
interface ReplyToStore {
  readonly id: StatusId;
  readonly accountId: AccountId;
  readonly uri: string;
  readonly heldReply?: HeldReply | undefined;
  readonly provenReply?: HeldReply | undefined;
}

/**
 * Stores the request for a reply, pending or accepted, in the transaction that stores the reply. No-op for other
 * statuses.
 */
export async function insertReplyRequest(
  tx: Transaction,
  app: App,
  { id: replyId, accountId, uri, heldReply, provenReply }: ReplyToStore,
  unresolvedHandles: readonly string[] = [],
): Promise<void> {
  const reply = heldReply ?? provenReply;
  if (reply === undefined) return;
  const { statusId, authorId, visibility, requestUri, authorizationUri } = reply;
  const mentions = heldReply?.mentions.filter((mention) => mention.accountId !== authorId) ?? [];
  const id: InteractionRequestId = newId<'interaction-request'>(app.clock.now());
  const state = heldReply === undefined ? 'accepted' : 'pending';
  const parties = { statusId, authorId, accountId, replyId, uri, requestUri, authorizationUri };
  const handles = heldReply === undefined ? [] : unresolvedHandles;
  await insertRequest(tx, app, {
    id,
    kind: 'reply',
    state,
    ...parties,
    visibility,
    mentions,
    unresolvedHandles: handles,
  });
}
