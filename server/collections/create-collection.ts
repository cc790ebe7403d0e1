import { sql } from 'kysely';
import { loadCachedAccounts, type CachedAccount } from '../accounts/present/index.ts';
import type { App } from '../platform/app.ts';
import { transaction, type Transaction } from '../platform/write/transaction.ts';
import { notFound } from '../platform/http/http-errors.ts';
import { message } from '../platform/i18n/message.ts';
import { newId, type AccountId, type CollectionId } from '../platform/ids.ts';
import { requireFeaturableAccounts } from './consent/featurable-accounts.ts';
import { collectionCreated, collectionItemRequested } from './events.ts';
import { insertItems } from './insert-items.ts';
import { collectionLimits, parseCollectionText, invalidCollection, type CollectionText } from './parse-collection.ts';
import { requireTag } from './require-tag.ts';
import { writable } from './tables.ts';
import { collectionUri, collectionUrl } from './urls.ts';

export interface NewCollection extends CollectionText {
  /** Default false. */
  readonly sensitive?: boolean | undefined;
  /** Default true. */
  readonly discoverable?: boolean | undefined;
  /** The first members, in this order. */
  readonly accountIds?: readonly AccountId[] | undefined;
}

/**
 * Creates a collection. Local accounts are added at once, remote ones after they accept. Throws 422 for invalid texts,
 * past 25 accounts and past the number of collections that the role allows; 404 and 403 as `requireFeaturableAccounts`.
 */
export async function createCollection(app: App, accountId: AccountId, input: NewCollection): Promise<CollectionId> {
  const ids = [...new Set(input.accountIds)];
  const text = parseCollectionText({ ...input, name: input.name ?? '' });
  if (ids.length > collectionLimits.items) throw tooManyItemsError();
  const members = await requireFeaturableAccounts(app, accountId, ids);
  const owner = (await loadCachedAccounts(app, [accountId])).get(accountId);
  if (owner === undefined) throw notFound();
  const now = app.clock.now();
  const id = newId<'collection'>(now);
  await transaction(app, async (tx) => {
    await assertBelowLimit(tx, accountId);
    const tagId = text.tagName == null ? null : await requireTag(tx, app, text.tagName);
    await writable(tx.db)
      .insertInto('collections')
      .values({
        id,
        account_id: accountId,
        local: true,
        uri: collectionUri(app, accountId, id),
        url: collectionUrl(app, id),
        name: text.name ?? '',
        description: text.description ?? '',
        language: text.language ?? null,
        tag_id: tagId,
        sensitive: input.sensitive ?? false,
        discoverable: input.discoverable ?? true,
        created_at: now,
        updated_at: now,
      })
      .execute();
    await insertMembers(tx, app, { id, owner, members });
  });
  return id;
}

async function insertMembers(
  tx: Transaction,
  app: App,
  { id, owner, members }: { id: CollectionId; owner: CachedAccount; members: readonly CachedAccount[] },
): Promise<void> {
  const items = await insertItems(tx, app, { collectionId: id, owner, members, firstPlace: 1 });
  const event = { collectionId: id, accountId: owner.id, local: true };
  tx.emit(collectionCreated(event));
  for (const { itemId, state } of items)
    if (state === 'pending') tx.emit(collectionItemRequested({ ...event, itemId }));
}

/** Throws 422 if there are more accounts than a local collection may have. */
export const tooManyItemsError = () =>
  invalidCollection([
    {
      field: 'collection_items',
      error: 'ERR_TOO_MANY',
      description: message('problems.tooMany', { max: collectionLimits.items }),
    },
  ]);

async function assertBelowLimit({ db }: Transaction, accountId: AccountId): Promise<void> {
  // Concurrent requests of one owner must not exceed the limit.
  await sql`select pg_advisory_xact_lock(hashtextextended(${`collections ${accountId}`}, 0))`.execute(db);
  const { most, count } = await db
    .selectFrom('users')
    .innerJoin('roles', 'roles.id', 'users.role_id')
    .select('roles.collection_limit as most')
    .select((eb) =>
      eb
        .selectFrom('collections')
        .select(({ fn }) => fn.countAll<string>().as('count'))
        .where('collections.account_id', '=', accountId)
        .as('count'),
    )
    .where('users.account_id', '=', accountId)
    .executeTakeFirstOrThrow();
  if (Number(count) < most) return;
  const description = message('collections.tooMany', { max: most });
  throw invalidCollection([{ field: 'base', error: 'ERR_TOO_MANY', description }]);
}
