import type { CachedAccount } from '../../accounts/present/index.ts';
import type { App } from '../../platform/app.ts';
import type { AccountId } from '../../platform/ids.ts';
import type { Status } from '../schema.ts';

/** Returns the mentioned accounts as a status shows them. Skips accounts that are not loaded. */
export const presentMentions = (
  accounts: ReadonlyMap<AccountId, CachedAccount>,
  ids: readonly AccountId[],
): Status['mentions'] =>
  ids.flatMap((id) => {
    const account = accounts.get(id);
    return account === undefined
      ? []
      : [{ id: account.id, username: account.username, url: account.url, acct: account.acct }];
  });

/** Returns hashtags as a status shows them. */
export const presentTags = ({ config }: App, names: readonly string[]): Status['tags'] =>
  names.map((name) => ({ name, url: `${config.baseUrl}/tags/${encodeURIComponent(name)}` }));
