import { findAccount, type AccountRow } from '../../accounts/find/index.ts';
import { loadInteractionPermission, needsProof, type Interaction } from '../../interactions/policy/index.ts';
import type { InteractionRequestId } from '../../interactions/requests/index.ts';
import type { App } from '../../platform/app.ts';
import { transaction } from '../../platform/write/transaction.ts';
import { newId, type StatusId } from '../../platform/ids.ts';
import { holdReaction } from '../../statuses/approval/index.ts';
import type { Visibility } from '../../statuses/index.ts';
import { filterVisibleStatuses, loadCachedStatuses, type CachedStatus } from '../../statuses/read/index.ts';
import { storeActivity } from '../delivery/store-activity.ts';
import { rejectInteraction } from '../documents/approval-documents.ts';
import { interactionContext } from '../documents/contexts.ts';
import { isSameHost } from '../documents/values.ts';

/** A remote interaction with a local post. */
interface ReceivedInteraction {
  readonly interaction: Interaction;
  readonly statusId: StatusId;
  /** Id of the Like, Announce or reply; undefined: it has none, and is not answered. */
  readonly uri: string | undefined;
  /** Id of the request for it. */
  readonly requestUri?: string | undefined;
  /** Of an Announce. */
  readonly visibility?: Visibility;
}

/**
 * Returns whether an interaction of a remote actor with a local post can be stored now. If its author does not permit it,
 * it is rejected, so that the server of the actor can withdraw it. A reblog that needs approval is stored as a request;
 * a favourite or reply is still to be stored as one. Posts that the actor cannot see are not answered.
 */
export async function admitInteraction(app: App, actor: AccountRow, received: ReceivedInteraction): Promise<boolean> {
  const { interaction, statusId, requestUri } = received;
  const status = (await loadCachedStatuses(app, [statusId])).get(statusId);
  if (status === undefined || (status.interactionPolicy === null && requestUri === undefined)) return true;
  if ((await filterVisibleStatuses(app, actor.id, [statusId], 'saved')).length === 0) return false;
  const permission = await loadInteractionPermission(app, actor.id, status, interaction);
  if (permission === 'denied') {
    await reject(app, actor, { status, received });
    return false;
  }
  const isStoredAsRequest = interaction === 'reply' || (interaction === 'favourite' && permission === 'manual');
  return isStoredAsRequest || admitReaction(app, actor, { status, received, permission });
}

interface Admission {
  readonly status: CachedStatus;
  readonly received: ReceivedInteraction;
}

async function admitReaction(
  app: App,
  actor: AccountRow,
  { status, received, permission }: Admission & { readonly permission: 'automatic' | 'manual' },
): Promise<boolean> {
  const { interaction, uri, requestUri, visibility } = received;
  if (interaction === 'reply') return true;
  const isOpen = interaction === 'favourite' || !needsProof(status, actor.id, interaction);
  if (permission === 'automatic' && isOpen && requestUri === undefined) return true;
  const isOwnUri = uri !== undefined && isSameHost(uri, actor.uri);
  if (!isOwnUri) return permission === 'automatic';
  const held = {
    kind: interaction,
    accountId: actor.id,
    uri,
    requestUri,
    ...(visibility !== undefined && { visibility }),
  };
  const state = await holdReaction(app, status, held, permission === 'automatic' ? 'accepted' : 'pending');
  if (state === 'rejected') await reject(app, actor, { status, received });
  return state === 'accepted' || (state === 'pending' && permission === 'automatic');
}

async function reject(app: App, actor: AccountRow, { status, received }: Admission): Promise<void> {
  const { interaction: kind, uri, requestUri = null } = received;
  const author = await findAccount(app, status.accountId);
  if (uri === undefined || author === undefined || actor.inbox_url === null) return;
  const id = newId<'interaction-request'>(app.clock.now()) satisfies InteractionRequestId;
  const parties = { author: author.uri, actor: actor.uri, target: status.uri };
  await transaction(app, (tx) =>
    storeActivity(tx, app, {
      senderId: author.id,
      activity: rejectInteraction({ id, kind, uri, requestUri, authorizationUri: null, ...parties }),
      context: interactionContext,
      inboxes: actor.inbox_url === null ? [] : [actor.inbox_url],
      orderKey: `interaction ${uri}`,
    }),
  );
}
