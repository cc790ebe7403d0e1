import { on } from '../../platform/events/reactions.ts';
import { findAccount, setMoveTarget } from '../../accounts/index.ts';
import type { App } from '../../platform/app.ts';
import { transaction } from '../../platform/database/transaction.ts';
import type { AccountId } from '../../platform/ids.ts';
import { DocumentError } from '../documents/parse-document.ts';
import { isActor } from '../documents/parse-actor.ts';
import { hostOf } from '../documents/values.ts';
import { moveTargetRequested } from '../events.ts';
import { localUsername } from '../local-addresses.ts';
import { FetchError, fetchObject } from './fetch-document.ts';
import { storeActor } from './store-actor.ts';

/**
 * Asks the server of the account that another one says it moved to whether it agrees. Then the one points to the other;
 * who follows it goes along only when it says so in a Move.
 */
export const fetchMoveTarget = on([moveTargetRequested], {
  name: 'account.fetch_move_target',
  queue: 'remote',
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
  if (host === undefined || host === app.config.webDomain || localUsername(app, uri) !== undefined) return undefined;
  try {
    const document = await fetchObject(app, uri);
    // Where that one moved to in turn is left alone: chains of moves may be as long as somebody likes.
    return isActor(document) ? await storeActor(app, document, { followsMove: false }) : undefined;
  } catch (error) {
    if (error instanceof FetchError || error instanceof DocumentError) return undefined;
    throw error;
  }
}
