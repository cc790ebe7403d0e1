import type { AccountRow } from '../../accounts/find/index.ts';
import type { App } from '../../platform/app.ts';
import { deleteStatus } from '../../statuses/post/index.ts';
import { findFavourite, unfavouriteStatus, unreblogStatus } from '../../statuses/react/index.ts';
import type { CachedStatus } from '../../statuses/read/index.ts';
import { loadCachedStatuses } from '../../statuses/read/index.ts';
import { idOf, isObject, typesOf, type Json } from '../documents/values.ts';
import { findStatusByUri } from '../find-status-by-uri.ts';
import { localActivityId } from '../local-addresses.ts';
import { findLocalActor } from './received-activity.ts';

/** Interaction requests of GoToSocial. Their `instrument` is the interaction itself. */
const interactionRequestTypes = /(?:^|[:#])(?:Like|Reply|Announce)Request$/;

/**
 * Withdraws a reply, favourite or reblog by a local account that the author of the post does not permit (GoToSocial's
 * interaction policies). Returns false if the rejected object is not one of these, or the post is not the actor's.
 */
export async function receiveInteractionReject(app: App, actor: AccountRow, activity: Json): Promise<boolean> {
  const interaction = answeredInteraction(activity['object']);
  return (await rejectStatus(app, actor, idOf(interaction))) || rejectFavourite(app, actor, interaction);
}

/** Returns the interaction that an answer is about: its object, or what a request contains. */
export function answeredInteraction(object: unknown): unknown {
  const isRequest = typesOf(object).some((type) => interactionRequestTypes.test(type));
  return isObject(object) && isRequest ? object['instrument'] : object;
}

/** Replies are given by their own id, reblogs by the id of their Announce. */
async function rejectStatus(app: App, actor: AccountRow, uri: string | undefined): Promise<boolean> {
  const id = uri === undefined ? undefined : (await findStatusByUri(app, uri))?.id;
  const status = id === undefined ? undefined : (await loadCachedStatuses(app, [id])).get(id);
  if (status === undefined || !status.local) return false;
  if (status.reblogOfId !== null) {
    if (!(await isAuthoredBy(app, actor, status.reblogOfId))) return false;
    return unreblogStatus(app, status.accountId, status.reblogOfId);
  }
  if (status.inReplyToId === null || !(await isAuthoredBy(app, actor, status.inReplyToId))) return false;
  return deleteStatus(app, status.id);
}

async function isAuthoredBy(app: App, actor: AccountRow, id: CachedStatus['id']): Promise<boolean> {
  return (await loadCachedStatuses(app, [id])).get(id)?.accountId === actor.id;
}

async function rejectFavourite(app: App, actor: AccountRow, like: unknown): Promise<boolean> {
  const favourite = (await findFavouriteByUri(app, idOf(like))) ?? (await favouriteByParties(app, like));
  if (favourite === undefined || !(await isAuthoredBy(app, actor, favourite.statusId))) return false;
  return unfavouriteStatus(app, favourite.accountId, favourite.statusId);
}

type Favourite = Awaited<ReturnType<typeof findFavourite>>;

/** Returns the favourite of a local account with this ActivityPub id. */
export async function findFavouriteByUri(app: App, uri: string | undefined): Promise<Favourite> {
  const id = uri === undefined ? undefined : localActivityId(app, uri, 'likes');
  return id === undefined ? undefined : findFavourite(app, id);
}

/** For a Like without an id. */
async function favouriteByParties(app: App, like: unknown): Promise<Favourite> {
  if (!isObject(like) || !typesOf(like).includes('Like')) return undefined;
  const uri = idOf(like['object']);
  const account = await findLocalActor(app, like['actor']);
  const status = uri === undefined ? undefined : await findStatusByUri(app, uri);
  return account && status && { accountId: account.id, statusId: status.id };
}
