import type { App } from '../../platform/app.ts';
import { blockAccount } from '../../relationships/index.ts';
import { idOf } from '../documents/values.ts';
import { localAccountOf, type Received } from './received.ts';

/** Somebody blocks a local account: follows end both ways, and the two no longer see each other. */
export async function receiveBlock(app: App, { activity, actor }: Received): Promise<void> {
  const target = await localAccountOf(app, activity['object']);
  if (target === undefined) return;
  const uri = idOf(activity);
  await blockAccount(app, actor.id, target.id, uri === undefined ? {} : { uri });
}
