import type { App } from '../../platform/app.ts';
import { blockAccount } from '../../relationships/hide/index.ts';
import { idOf } from '../documents/values.ts';
import { findLocalActor, type ReceivedActivity } from './received-activity.ts';

/** Blocks a local account for the actor, and removes follows in both directions. */
export async function receiveBlock(app: App, { activity, actor }: ReceivedActivity): Promise<void> {
  const target = await findLocalActor(app, activity['object']);
  if (target === undefined) return;
  const uri = idOf(activity);
  await blockAccount(app, actor.id, target.id, uri === undefined ? {} : { uri });
}
