import { instanceActorId, type AccountRow } from '../../accounts/index.ts';
import type { App } from '../../platform/app.ts';
import { write } from '../../platform/database/write.ts';
import { Problem } from '../../platform/http/problems.ts';
import { newId } from '../../platform/ids.ts';
import { followAccount } from '../../relationships/index.ts';
import { sendAccept, sendReject } from '../delivery/deliver-relationships.ts';
import { idOf, sameHost } from '../documents/values.ts';
import { localAccountOf, type Received } from './received.ts';

/**
 * Somebody follows a local account, or asks to. The answer is sent when the follow exists; a Follow that repeats one is
 * accepted anew, and one that may not be is rejected.
 */
export async function receiveFollow(app: App, { activity, actor }: Received): Promise<void> {
  const target = await localAccountOf(app, activity['object']);
  if (target === undefined) return;
  const id = idOf(activity);
  const uri = id !== undefined && sameHost(id, actor.uri) ? id : undefined;
  const pair = { accountId: actor.id, targetAccountId: target.id };
  if (target.id === instanceActorId) return refuse(app, actor, target, uri);
  const before = await app.db
    .selectFrom('follows')
    .select('id')
    .where('account_id', '=', actor.id)
    .where('target_account_id', '=', target.id)
    .executeTakeFirst();
  try {
    await followAccount(app, actor.id, target.id, uri === undefined ? {} : { uri });
  } catch (error) {
    if (error instanceof Problem && error.status === 403) return refuse(app, actor, target, uri);
    throw error;
  }
  if (before !== undefined)
    await write(app, (write) => sendAccept(write, app, { ...pair, id: before.id, uri: uri ?? null }));
}

function refuse(app: App, actor: AccountRow, target: AccountRow, uri: string | undefined): Promise<void> {
  return write(app, (write) =>
    sendReject(write, app, {
      accountId: actor.id,
      targetAccountId: target.id,
      id: newId(app.clock.now()),
      uri: uri ?? null,
    }),
  );
}
