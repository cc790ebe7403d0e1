import { sql } from 'kysely';
import { Type } from 'typebox';
import type { App } from '../../platform/app.ts';
import { notFound } from '../../platform/http/http-errors.ts';
import { redirect } from '../../platform/http/http-response.ts';
import { get, routeOptions, type Route } from '../../platform/http/routes.ts';
import type { AccountId, ConversationId, StatusId } from '../../platform/ids.ts';
import { idSchema } from '../../platform/id-schema.ts';
import { loadCachedStatuses } from '../../statuses/read/index.ts';
import { isPublicOrUnlisted } from '../../statuses/visibility/index.ts';
import { collectionPage } from '../documents/collections.ts';
import { contextUri } from '../documents/context-uri.ts';
import type { Json } from '../documents/values.ts';
import type { RemoteKey } from '../keys/find-key.ts';
import { activityResponse } from './activity-response.ts';
import { findReader, assertNotBlocked, isNotBlockedBy } from './reader.ts';
import { forReaders, forServers } from './for-servers.ts';

const pageSize = 60;

/** Lists the public posts of a local conversation (FEP-7888), oldest first. */
const context = get('/contexts/:id', {
  summary: 'List the posts of a conversation',
  ...forReaders,
  params: Type.Object({ id: idSchema<'conversation'>() }),
  input: Type.Object({
    page: Type.Optional(Type.Boolean()),
    min_id: Type.Optional(idSchema<'status'>()),
  }),
  async handle({ app, params, input, request }) {
    const reader = await findReader(app, request);
    const author = await requireThreadAuthor(app, params.id);
    await assertNotBlocked(app, author.id, reader);
    const page = await buildContextPage(app, params.id, { after: input.min_id, reader });
    const id = contextUri(app, params.id);
    return activityResponse(
      app,
      input.page === true ? page : { id, type: 'Collection', attributedTo: author.uri, first: page },
    );
  },
});

/** Mastodon names a conversation by the author and the id of its first post. */
const mastodonContext = routeOptions({
  summary: 'Find a conversation by its first post',
  ...forServers,
  params: Type.Object({ account_id: idSchema<'account'>(), status_id: idSchema<'status'>() }),
  async handle({ app, params, request }) {
    await findReader(app, request);
    const first = (await loadCachedStatuses(app, [params.status_id])).get(params.status_id);
    if (first?.accountId !== params.account_id || first.conversationId === null) throw notFound();
    if (!isPublicOrUnlisted(first.visibility)) throw notFound();
    return redirect(contextUri(app, first.conversationId));
  },
});

export const contextRoutes: readonly Route[] = [
  context,
  get('/contexts/:account_id-:status_id', mastodonContext),
  get('/contexts/:account_id-:status_id/items', mastodonContext),
];

/** Returns the author of the first post of a conversation. Throws 404 unless that post is local and public. */
async function requireThreadAuthor(app: App, id: ConversationId): Promise<{ id: AccountId; uri: string }> {
  const { rows } = await sql<{ id: AccountId; uri: string; open: boolean }>`
    select author.id, author.uri, first.local and not first.is_reply and first.visibility in ('public', 'unlisted')
      and author.suspended_at is null as open
    from statuses first join accounts author on author.id = first.account_id
    where first.conversation_id = ${id}::bigint and first.deleted_at is null
    order by first.id limit 1`.execute(app.db);
  const [first] = rows;
  if (first?.open !== true) throw notFound();
  return first;
}

async function buildContextPage(
  app: App,
  conversationId: ConversationId,
  { after, reader }: { after: StatusId | undefined; reader: RemoteKey | undefined },
): Promise<Json> {
  const { rows: found } = await sql<{ id: StatusId; uri: string }>`
    select status.id, status.uri from statuses status join accounts author on author.id = status.account_id
    where status.conversation_id = ${conversationId}::bigint and status.deleted_at is null
      and status.visibility in ('public', 'unlisted') and status.reblog_of_id is null
      and author.suspended_at is null and status.id > ${after ?? '-9223372036854775808'}::bigint
      and ${isNotBlockedBy(reader, sql`status.account_id`)}
    order by status.id limit ${pageSize + 1}`.execute(app.db);
  const id = contextUri(app, conversationId);
  const rows = found.slice(0, pageSize);
  const last = found.length > pageSize ? rows.at(-1)?.id : undefined;
  return collectionPage(
    {
      id: `${id}?page=true${after === undefined ? '' : `&min_id=${after}`}`,
      partOf: id,
      items: rows.map(({ uri }) => uri),
      next: last && `${id}?page=true&min_id=${last}`,
    },
    false,
  );
}
