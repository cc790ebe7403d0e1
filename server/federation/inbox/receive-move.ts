import { findAccount, type AccountRow } from '../../accounts/find/index.ts';
import { findLastMoveDate, markMoved } from '../../accounts/move/index.ts';
import type { App } from '../../platform/app.ts';
import { transaction } from '../../platform/write/transaction.ts';
import { hostOf, idOf } from '../documents/values.ts';
import { isBlockedDomain } from '../domain-policy.ts';
import { fetchActor } from '../fetch/resolve-account.ts';
import { findLocalActor, type ReceivedActivity } from './received-activity.ts';

/** Minimum time between two moves of a remote account (reference/limits.tsv). */
const cooldownMs = 7 * 86_400_000;

/**
 * Moves the actor to another account, at most once a week, if the target, fetched from its server, lists the actor as
 * an alias. Local followers then follow the target.
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
