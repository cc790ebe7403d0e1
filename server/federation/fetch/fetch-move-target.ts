import { later } from '../../platform/write/reactions.ts';
import { findAccount } from '../../accounts/find/index.ts';
import { setMoveTarget } from '../../accounts/move/index.ts';
import type { App } from '../../platform/app.ts';
import { transaction } from '../../platform/write/transaction.ts';
import type { AccountId } from '../../platform/ids.ts';
import { DocumentError } from '../documents/parse-document.ts';
import { isActor } from '../documents/parse-actor.ts';
import { hostOf } from '../documents/values.ts';
import { moveTargetRequested } from '../events.ts';
import { FetchError, fetchObject } from './fetch-document.ts';
import { storeActor } from './store-actor.ts';

/**
 * Fetches the account that a remote account claims to have moved to, and stores the move if the target lists it as an
 * alias. Followers move only after a Move activity.
 */
export const fetchMoveTarget = later('remote', [moveTargetRequested], {
  name: 'account.fetch_move_target',
  run: async (app, { accountId, uri }) => {
    const [account, targetId] = await Promise.all([findAccount(app, accountId), fetchTargetAccount(app, uri)]);
    const target = targetId === undefined ? undefined : await findAccount(app, targetId);
    if (account === undefined || account.domain === null || target?.also_known_as.includes(account.uri) !== true)
      return;
    await transaction(app, (tx) => setMoveTarget(tx, app, accountId, target.id));
  },
});

async function fetchTargetAccount(app: App, uri: string): Promise<AccountId | undefined> {
  const host = hostOf(uri);
  if (host === undefined || host === app.config.webDomain) return undefined;
  try {
    const document = await fetchObject(app, uri);
    // Does not follow further moves: a chain can have any length.
    return isActor(document) ? await storeActor(app, document, { followsMove: false }) : undefined;
  } catch (error) {
    if (error instanceof FetchError || error instanceof DocumentError) return undefined;
    throw error;
  }
}
