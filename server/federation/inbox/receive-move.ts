import { findAccount, findLastMoveDate, markMoved, type AccountRow } from '../../accounts/index.ts';
import type { App } from '../../platform/app.ts';
import { transaction } from '../../platform/database/transaction.ts';
import { hostOf, idOf } from '../documents/values.ts';
import { isBlockedDomain } from '../domain-policy.ts';
import { fetchActor } from '../fetch/resolve-account.ts';
import { findLocalActor, type ReceivedActivity } from './received-activity.ts';

/** An account of another server may move once in so many milliseconds (reference/limits.tsv). */
const cooldownMs = 7 * 86_400_000;

/**
 * Somebody moved. It counts when the new account, read anew from its own server, names the old one as its alias, at most
 * once a week; the followers of this server then follow the new one.
 */
export async function receiveMove(app: App, { activity, actor }: ReceivedActivity): Promise<void> {
  if (idOf(activity['object']) !== actor.uri) return;
  const last = await findLastMoveDate(app, actor.id);
  if (last !== undefined && app.clock.now().getTime() - last.getTime() < cooldownMs) return;
  const target = await resolveMoveTarget(app, activity['target']);
  if (target === undefined || target.id === actor.id || target.suspended_at !== null) return;
  if (target.also_known_as.includes(actor.uri)) {
    await transaction(app, (tx) => markMoved(tx, app, actor.id, target.id));
  }
}

async function resolveMoveTarget(app: App, value: unknown): Promise<AccountRow | undefined> {
  const local = await findLocalActor(app, value);
  if (local !== undefined) return local;
  const uri = idOf(value);
  const host = hostOf(uri);
  if (uri === undefined || host === undefined || host === app.config.webDomain) return undefined;
  if (await isBlockedDomain(app, host)) return undefined;
  return findAccount(app, await fetchActor(app, uri, { fresh: true }));
}
