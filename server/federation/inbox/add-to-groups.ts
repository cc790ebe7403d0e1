import { considerPosts, findGroupsOfPost, loadGroupNames } from '../../groups/index.ts';
import type { App } from '../../platform/app.ts';
import { announceChange } from '../delivery/deliver-group-activities.ts';
import { authorOf } from '../documents/parse-note.ts';
import { idOf, idsOf, isObject, isSameHost, typeOf, type Json } from '../documents/values.ts';
import { findStatusByUri } from '../find-status-by-uri.ts';
import { parseAccountAddress } from '../local-addresses.ts';
import type { ReceivedActivity } from './received-activity.ts';

/**
 * Adds a remote post that was just received to the local groups that it addresses or replies in, and lets these announce
 * edits and deletions of it.
 */
export async function addToGroups(
  app: App,
  { activity, actor }: Pick<ReceivedActivity, 'activity' | 'actor'>,
): Promise<void> {
  const uri = idOf(activity['object']);
  const type = typeOf(activity);
  const names = await loadGroupNames(app);
  if (uri === undefined || names.size === 0) return;
  if (type === 'Create')
    return addressesGroup(app, activity, names) ? addPost(app, { activity, actor }, uri) : undefined;
  if (type !== 'Update' && type !== 'Delete') return;
  if (!isByActor(activity, actor.uri, type)) return;
  const posts = await findGroupsOfPost(app, uri, actor.id);
  if (posts.length === 0) return;
  const kind = type === 'Delete' ? 'delete' : `update/${app.clock.now().getTime()}`;
  await announceChange(app, posts, { uri, kind, object: activity });
}

async function addPost(
  app: App,
  { activity, actor }: Pick<ReceivedActivity, 'activity' | 'actor'>,
  uri: string,
): Promise<void> {
  const status = await findStatusByUri(app, uri);
  if (status?.account_id !== actor.id) return;
  const isOwn = isByActor(activity, actor.uri, 'Create');
  await considerPosts(app, [status.id], isOwn ? JSON.stringify(activity) : undefined);
}

function addressesGroup(app: App, activity: Json, names: ReadonlySet<string>): boolean {
  const { object } = activity;
  const documents = isObject(object) ? [activity, object] : [activity];
  const addressed = documents.flatMap((document) => [...idsOf(document['to']), ...idsOf(document['cc'])]);
  return addressed.some((id) => {
    // Groups are created here, so no address of a group has its id.
    const address = parseAccountAddress(app, id);
    return (
      address !== undefined &&
      'domain' in address &&
      address.domain === null &&
      names.has(address.username.toLowerCase())
    );
  });
}

/** Whether an activity is its sender's own, with the whole post if it has one: others trust what a group announces. */
function isByActor(activity: Json, actorUri: string, type: 'Create' | 'Update' | 'Delete'): boolean {
  const { object } = activity;
  if (!isSameHost(idOf(activity), actorUri)) return false;
  if (type === 'Delete') return isSameHost(idOf(object), actorUri);
  return isObject(object) && isSameHost(idOf(object), actorUri) && authorOf(object) === actorUri;
}
