import { createCollection } from '../../server/collections/index.ts';
import { addToList, createList } from '../../server/lists/index.ts';
import type { App } from '../../server/platform/app.ts';
import type { AccountId } from '../../server/platform/ids.ts';
import { followTag } from '../../server/hashtags/index.ts';
import type { Person } from './people.ts';
import { tags } from './vocabulary.ts';

const maxOwners = 40;
const membersPerList = 8;

/** Creates, for some active people, a list and a collection of accounts that they follow, and two followed hashtags. */
export async function createListsAndCollections(app: App, active: readonly Person[]): Promise<void> {
  const owners = active.slice(0, maxOwners).map(({ id }) => id as AccountId);
  const followed = await listFollowedAccounts(app, owners);
  for (const [index, accountId] of owners.entries()) {
    const others = followed.filter((row) => row.account_id === accountId);
    const list = await createList(app, accountId, { title: 'Neighbours' });
    await addToList(app, {
      accountId,
      listId: list.id,
      memberIds: others.slice(0, membersPerList).map(({ id }) => id),
    });
    const willing = others.filter((row) => row.domain === null && row.discoverable === true);
    const accountIds = willing.slice(0, membersPerList).map(({ id }) => id);
    const tagName = tags[index % tags.length];
    await createCollection(app, accountId, { name: 'Worth a look', accountIds, tagName });
    for (const tag of [tagName, tags[(index * 7 + 3) % tags.length]]) {
      if (tag !== undefined) await followTag(app, accountId, tag);
    }
  }
}

function listFollowedAccounts(app: App, accountIds: readonly AccountId[]) {
  return app.db
    .selectFrom('follows')
    .innerJoin('accounts', 'accounts.id', 'follows.target_account_id')
    .select(['follows.account_id', 'accounts.id', 'accounts.domain', 'accounts.discoverable'])
    .where('follows.account_id', 'in', accountIds)
    .orderBy('follows.id')
    .execute();
}
