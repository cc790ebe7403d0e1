import { sql } from 'kysely';
import { Type } from 'typebox';
import { actorUrls } from '../../accounts/index.ts';
import type { App } from '../../platform/app.ts';
import { get } from '../../platform/http/routes.ts';
import type { AccountId, StatusId } from '../../platform/ids.ts';
import { idSchema } from '../../platform/id-schema.ts';
import { create } from '../documents/activities.ts';
import { announceDocuments } from '../documents/announce-documents.ts';
import { collectionPage, pagedCollection } from '../documents/collections.ts';
import { noteContext } from '../documents/contexts.ts';
import { noteDocuments } from '../documents/note-documents.ts';
import { activityResponse } from './activity-response.ts';
import { requireAuthor } from './reader.ts';
import { forReaders } from './for-servers.ts';

const pageSize = 20;

interface Cursor {
  readonly max_id?: StatusId;
  readonly min_id?: StatusId;
}

/** Lists the public and unlisted posts and reblogs of an actor, newest first, 20 per page. */
export const outboxRoute = get('/users/:username/outbox', {
  summary: 'List the public posts of an actor',
  ...forReaders,
  params: Type.Object({ username: Type.String() }),
  input: Type.Object({
    page: Type.Optional(Type.Boolean()),
    max_id: Type.Optional(idSchema<'status'>()),
    min_id: Type.Optional(idSchema<'status'>()),
  }),
  async handle({ app, params, input, request }) {
    const account = await requireAuthor(app, request, params.username);
    const id = actorUrls(app, account.uri).outbox;
    if (input.page !== true) {
      const total = await countStatuses(app, account.id);
      return activityResponse(
        app,
        pagedCollection(id, total, { first: `${id}?page=true`, last: `${id}?page=true&min_id=0` }),
      );
    }
    const ids = await listStatusIds(app, account.id, input);
    const hasOlder = await hasOlderStatuses(app, account.id, ids.at(-1));
    return activityResponse(app, await buildPage(app, { ...input, id, ids, hasOlder }), { context: noteContext });
  },
});

interface OutboxPage extends Cursor {
  /** Of the outbox. */
  readonly id: string;
  readonly ids: readonly StatusId[];
  readonly hasOlder: boolean;
}

async function buildPage(app: App, { id, ids, hasOlder, max_id: max, min_id: min }: OutboxPage) {
  const [notes, announces] = await Promise.all([noteDocuments(app, ids), announceDocuments(app, ids)]);
  const items = ids.flatMap((status) => {
    const note = notes.get(status);
    return note ? create(note) : (announces.get(status) ?? []);
  });
  const cursor = max !== undefined ? `&max_id=${max}` : min !== undefined ? `&min_id=${min}` : '';
  const [first, last] = [ids[0], ids.at(-1)];
  return collectionPage({
    id: `${id}?page=true${cursor}`,
    partOf: id,
    items,
    next: hasOlder ? `${id}?page=true&max_id=${last}` : undefined,
    prev: first === undefined ? undefined : `${id}?page=true&min_id=${first}`,
  });
}

async function listStatusIds(
  app: App,
  accountId: AccountId,
  { max_id: max, min_id: min }: Cursor,
): Promise<StatusId[]> {
  let query = publicStatuses(app, accountId).select('id').limit(pageSize);
  if (max !== undefined) query = query.where('id', '<', max);
  if (min !== undefined) query = query.where('id', '>', min);
  const ascending = min !== undefined && max === undefined;
  const rows = await query.orderBy('id', ascending ? 'asc' : 'desc').execute();
  const ids = rows.map((row) => row.id);
  return ascending ? ids.toReversed() : ids;
}

const publicStatuses = (app: App, accountId: AccountId) =>
  app.db
    .selectFrom('statuses')
    .where('account_id', '=', accountId)
    .where('deleted_at', 'is', null)
    .where(sql<boolean>`visibility in ('public', 'unlisted')`);

/** Returns whether a page follows the one that ends with `last`. */
async function hasOlderStatuses(app: App, accountId: AccountId, last: StatusId | undefined): Promise<boolean> {
  if (last === undefined) return false;
  const older = publicStatuses(app, accountId).select('id').where('id', '<', last).orderBy('id', 'desc').limit(1);
  return (await older.executeTakeFirst()) !== undefined;
}

/** Counts what the pages list. The counter of the account has private posts too. */
async function countStatuses(app: App, accountId: AccountId): Promise<number> {
  const { count } = await publicStatuses(app, accountId)
    .select(({ fn }) => fn.countAll<string>().as('count'))
    .executeTakeFirstOrThrow();
  return Number(count);
}
