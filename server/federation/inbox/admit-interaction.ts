import { findAccount, type AccountRow } from '../../accounts/find/index.ts';
import { loadInteractionPermission, type Interaction } from '../../interactions/policy/index.ts';
import type { App } from '../../platform/app.ts';
import { transaction } from '../../platform/database/transaction.ts';
import { newId, type StatusId } from '../../platform/ids.ts';
import { filterVisibleStatuses, loadCachedStatuses } from '../../statuses/read/index.ts';
import { storeActivity } from '../delivery/store-activity.ts';
import { rejectInteraction } from '../documents/activities.ts';

/** A remote interaction with a local post. */
interface ReceivedInteraction {
  readonly interaction: Interaction;
  readonly statusId: StatusId;
  /** Id of the Like, Announce or reply; undefined: it has none, and is not answered. */
  readonly uri: string | undefined;
}

/**
 * Returns whether the author of a local post permits an interaction of a remote actor. Otherwise rejects it, so that the
 * server of the actor can withdraw it. Posts that the actor cannot see are not answered.
 */
export async function admitInteraction(app: App, actor: AccountRow, received: ReceivedInteraction): Promise<boolean> {
  const { interaction, statusId, uri } = received;
  const status = (await loadCachedStatuses(app, [statusId])).get(statusId);
  if (status === undefined || status.interactionPolicy === null) return true;
  if ((await loadInteractionPermission(app, actor.id, status, interaction)) === 'automatic') return true;
  const author = await findAccount(app, status.accountId);
  const isVisible = (await filterVisibleStatuses(app, actor.id, [statusId], 'saved')).length > 0;
  if (uri === undefined || author === undefined || actor.inbox_url === null || !isVisible) return false;
  const id = newId<'activity'>(app.clock.now());
  const rejection = rejectInteraction(author.uri, id, { actor: actor.uri, object: uri, target: status.uri });
  const inboxes = [actor.inbox_url];
  await transaction(app, (tx) =>
    storeActivity(tx, app, { senderId: author.id, activity: rejection, inboxes, orderKey: `interaction ${uri}` }),
  );
  return false;
}
