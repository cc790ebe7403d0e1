import { sql } from 'kysely';
import type { App } from '../platform/app.ts';
import { write, type Write } from '../platform/database/write.ts';
import { forbidden, notFound } from '../platform/http/problems.ts';
import type { AccountId, CollectionId, CollectionItemId } from '../platform/ids.ts';
import { consentRevoked, itemRemoved } from './events.ts';
import { lockCollection, type ItemRow } from './find-collections.ts';

interface Place {
  readonly accountId: AccountId;
  readonly collectionId: CollectionId;
  readonly itemId: CollectionItemId;
}

/**
 * Takes an account out of a collection in the name of its owner. 404 when it is not in it: who took back its consent
 * stays known, so that it is not put in again. 403 for others than the owner.
 */
export async function removeItem(app: App, { accountId, collectionId, itemId }: Place): Promise<void> {
  await write(app, async (write) => {
    const { local } = await lockCollection(write, accountId, collectionId);
    const item = await write.db
      .deleteFrom('collection_items')
      .where('id', '=', itemId)
      .where('collection_id', '=', collectionId)
      .where('state', 'in', ['pending', 'accepted'])
      .returning(['account_id', 'uri'])
      .executeTakeFirst();
    if (item === undefined) throw notFound();
    if (item.account_id === null) return;
    write.emit(itemRemoved({ collectionId, accountId, local, itemId, memberId: item.account_id, itemUri: item.uri }));
  });
}

/**
 * Takes back the consent of `accountId` to stand in a collection; again, it changes nothing. 404 when there is no such
 * place, 403 when it is another account's.
 */
export async function revokeItem(app: App, { accountId, collectionId, itemId }: Place): Promise<void> {
  await write(app, async (write) => {
    const item = await write.db
      .selectFrom('collection_items')
      .selectAll()
      .where('id', '=', itemId)
      .where('collection_id', '=', collectionId)
      .forUpdate()
      .executeTakeFirst();
    if (item === undefined) throw notFound();
    if (item.account_id !== accountId) throw forbidden();
    await withdraw(write, item);
  });
}

/** Marks a place as revoked by the one who stood in it, and says so; nothing when it is already. The caller has locked it. */
export async function withdraw(write: Write, item: ItemRow): Promise<void> {
  const { id: itemId, collection_id: collectionId, account_id: memberId, state, uri } = item;
  if (memberId === null || (state !== 'pending' && state !== 'accepted')) return;
  const facts = await write.db
    .selectFrom('collections')
    .innerJoin('accounts as member', (join) => join.on('member.id', '=', memberId))
    .select(['collections.account_id', 'collections.local', sql<boolean>`member.domain is null`.as('isMemberLocal')])
    .where('collections.id', '=', collectionId)
    .executeTakeFirstOrThrow();
  // Who may ask whom again is for their own servers to know.
  if (!facts.local && !facts.isMemberLocal) {
    await write.db.deleteFrom('collection_items').where('id', '=', itemId).execute();
  } else {
    await write.db.updateTable('collection_items').set({ state: 'revoked' }).where('id', '=', itemId).execute();
  }
  const event = { collectionId, accountId: facts.account_id, local: facts.local, itemId, memberId };
  write.emit(itemRemoved({ ...event, itemUri: uri }));
  if (facts.isMemberLocal) write.emit(consentRevoked(event));
}

/** Who blocks somebody leaves its collections for good, and puts it out of the own ones. */
export async function partAfterBlock(
  write: Write,
  _app: App,
  { accountId, targetAccountId }: { accountId: AccountId; targetAccountId: AccountId },
): Promise<void> {
  const items = await write.db
    .selectFrom('collection_items as item')
    .innerJoin('collections', 'collections.id', 'item.collection_id')
    .selectAll('item')
    .select(['collections.account_id as owner_id', 'collections.local'])
    .where((eb) =>
      eb.or([
        eb.and({ 'item.account_id': accountId, 'collections.account_id': targetAccountId }),
        eb.and({ 'item.account_id': targetAccountId, 'collections.account_id': accountId, 'collections.local': true }),
      ]),
    )
    .forUpdate('item')
    .execute();
  for (const { owner_id: ownerId, local, ...item } of items) {
    if (item.account_id === accountId) await withdraw(write, item);
    else await putOut(write, { ownerId, local, item });
  }
}

/** Who wants nothing to do with a whole server leaves the collections of its accounts for good. */
export async function partFromDomain(
  write: Write,
  _app: App,
  { accountId, domain }: { accountId: AccountId; domain: string },
): Promise<void> {
  const items = await write.db
    .selectFrom('collection_items as item')
    .innerJoin('collections', 'collections.id', 'item.collection_id')
    .innerJoin('accounts as owner', 'owner.id', 'collections.account_id')
    .selectAll('item')
    .where('item.account_id', '=', accountId)
    .where('owner.domain', '=', domain)
    .forUpdate('item')
    .execute();
  for (const item of items) await withdraw(write, item);
}

async function putOut(write: Write, { ownerId, local, item }: { ownerId: AccountId; local: boolean; item: ItemRow }) {
  const { id: itemId, collection_id: collectionId, account_id: memberId, state, uri: itemUri } = item;
  if (memberId === null || (state !== 'pending' && state !== 'accepted')) return;
  await write.db.deleteFrom('collection_items').where('id', '=', itemId).execute();
  write.emit(itemRemoved({ collectionId, accountId: ownerId, local, itemId, memberId, itemUri }));
}
