import { sql } from 'kysely';
import { accountBodies, type AccountBody } from '../accounts/index.ts';
import type { App } from '../platform/app.ts';
import { write, type Write } from '../platform/database/write.ts';
import { notFound } from '../platform/http/problems.ts';
import { newId, type AccountId, type CollectionId } from '../platform/ids.ts';
import { requireFeaturable } from './consent.ts';
import { collectionCreated, itemRequested } from './events.ts';
import { insertItems } from './insert-items.ts';
import { collectionLimits, readCollectionText, refuse, type CollectionText } from './read-collection.ts';
import { requireTag } from './require-tag.ts';
import { collectionUri, collectionUrl } from './urls.ts';

export interface NewCollection extends CollectionText {
  /** Default false. */
  readonly sensitive?: boolean | undefined;
  /** Default true. */
  readonly discoverable?: boolean | undefined;
  /** The first accounts in it, in this order. */
  readonly accountIds?: readonly AccountId[] | undefined;
}

/**
 * Makes a collection. Accounts of this server are in it at once, those of others are asked. 422 for bad texts, past 25
 * accounts and past the number of collections that the role allows; 404 and 403 as `requireFeaturable`.
 */
export async function createCollection(app: App, accountId: AccountId, asked: NewCollection): Promise<CollectionId> {
  const ids = [...new Set(asked.accountIds)];
  const text = readCollectionText({ ...asked, name: asked.name ?? '' });
  if (ids.length > collectionLimits.items) throw tooManyItems();
  const members = await requireFeaturable(app, accountId, ids);
  const owner = (await accountBodies(app, [accountId])).get(accountId);
  if (owner === undefined) throw notFound();
  const now = app.clock.now();
  const id = newId<'collection'>(now);
  await write(app, async (write) => {
    await refusePastLimit(write, accountId);
    const tagId = text.tagName == null ? null : await requireTag(write, app, text.tagName);
    await write.db
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
        sensitive: asked.sensitive ?? false,
        discoverable: asked.discoverable ?? true,
        created_at: now,
        updated_at: now,
      })
      .execute();
    await putIn(write, app, { id, owner, members });
  });
  return id;
}

async function putIn(
  write: Write,
  app: App,
  { id, owner, members }: { id: CollectionId; owner: AccountBody; members: readonly AccountBody[] },
): Promise<void> {
  const items = await insertItems(write, app, { collectionId: id, owner, members, firstPlace: 1 });
  const event = { collectionId: id, accountId: owner.id, local: true };
  write.emit(collectionCreated(event));
  for (const { itemId, state } of items) if (state === 'pending') write.emit(itemRequested({ ...event, itemId }));
}

/** 422 for more accounts than a collection of this server holds. */
export const tooManyItems = () =>
  refuse([
    {
      field: 'collection_items',
      error: 'ERR_TOO_MANY',
      description: `are too many (maximum is ${collectionLimits.items})`,
    },
  ]);

async function refusePastLimit({ db }: Write, accountId: AccountId): Promise<void> {
  // Two at once must not both be the last one.
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
  const description = `You have reached the maximum number of collections (${most})`;
  throw refuse([{ field: 'base', error: 'ERR_TOO_MANY', description }]);
}
