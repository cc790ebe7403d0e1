import { sql } from 'kysely';
import { Type } from 'typebox';
import type { App } from '../../platform/app.ts';
import { HttpResponse } from '../../platform/http/http-response.ts';
import { get, type Route } from '../../platform/http/routes.ts';
import type { StatusId } from '../../platform/ids.ts';
import { idSchema } from '../../platform/id-schema.ts';
import { type CachedStatus } from '../../statuses/read/index.ts';
import { isPublicOrUnlisted } from '../../statuses/visibility/index.ts';
import { collectionPage } from '../documents/collections.ts';
import { noteContext } from '../documents/contexts.ts';
import { noteDocuments } from '../documents/note-documents.ts';
import type { Json } from '../documents/values.ts';
import type { RemoteKey } from '../keys/find-key.ts';
import { activityResponse } from './activity-response.ts';
import { requireReadableStatus } from './object-routes.ts';
import { findReader, isNotBlockedBy } from './reader.ts';
import { forReaders } from './for-servers.ts';

const params = Type.Object({ username: Type.String(), id: idSchema<'status'>() });
const repliesPerPage = 60;

const replies = get('/users/:username/statuses/:id/replies', {
  summary: 'List the replies to a post',
  ...forReaders,
  params,
  input: Type.Object({
    page: Type.Optional(Type.Boolean()),
    min_id: Type.Optional(idSchema<'status'>()),
    only_other_accounts: Type.Optional(Type.Boolean()),
  }),
  async handle({ app, params, input, request }) {
    const status = await requireReadableStatus(app, request, params.username, params.id);
    if (status instanceof HttpResponse) return status;
    const id = `${status.uri}/replies`;
    const others = input.only_other_accounts ?? false;
    const reader = await findReader(app, request);
    const totalItems = await loadCount(app, status.id, 'replies_count');
    const first = await buildRepliesPage(app, status, { id, others, after: input.min_id, reader });
    return activityResponse(app, input.page === true ? first : { id, type: 'Collection', totalItems, first }, {
      context: noteContext,
      open: isPublicOrUnlisted(status.visibility),
    });
  },
});

interface RepliesCursor {
  readonly id: string;
  /** Whether the page lists the replies of other accounts. The author's own come first. */
  readonly others: boolean;
  readonly after: StatusId | undefined;
  readonly reader: RemoteKey | undefined;
}

/** Selects replies by id, from the author of the post or from others. */
const repliesOf = (
  app: App,
  status: CachedStatus,
  { others, after, reader }: Omit<RepliesCursor, 'id'>,
  limit: number,
) =>
  app.db
    .selectFrom('statuses')
    .select(['id', 'uri', 'local'])
    .where('in_reply_to_id', '=', status.id)
    .where('account_id', others ? '<>' : '=', status.accountId)
    .where('deleted_at', 'is', null)
    .where(sql<boolean>`visibility in ('public', 'unlisted')`)
    .where(isNotBlockedBy(reader, sql.ref('statuses.account_id')))
    .where(sql<boolean>`(${after ?? null}::bigint is null or id > ${after ?? null}::bigint)`)
    .orderBy('id')
    .limit(limit)
    .execute();

async function buildRepliesPage(app: App, status: CachedStatus, cursor: RepliesCursor): Promise<Json> {
  const { id, others, after, reader } = cursor;
  const [found, ofOthers] = await Promise.all([
    repliesOf(app, status, cursor, repliesPerPage + 1),
    others ? [] : repliesOf(app, status, { others: true, after: undefined, reader }, 1),
  ]);
  const rows = found.slice(0, repliesPerPage);
  const notes = await noteDocuments(app, others ? [] : rows.filter(({ local }) => local).map((row) => row.id));
  const last = found.length > rows.length ? rows.at(-1)?.id : undefined;
  const pageUrl = (parts: string) => `${id}?${parts}page=true`;
  const othersParameter = others ? 'only_other_accounts=true&' : '';
  const next =
    last !== undefined
      ? pageUrl(`${othersParameter}min_id=${last}&`)
      : ofOthers.length > 0
        ? pageUrl('only_other_accounts=true&')
        : undefined;
  return collectionPage(
    {
      id: pageUrl(`${othersParameter}${after === undefined ? '' : `min_id=${after}&`}`),
      partOf: id,
      // The author's replies are embedded, so that a thread can be read in one request.
      items: rows.map((row) => notes.get(row.id) ?? row.uri),
      next,
    },
    false,
  );
}

/** Declares the route for the number of likes or shares of a post, without the accounts. */
function countRoute(path: string, kind: 'likes' | 'shares', column: 'favourites_count' | 'reblogs_count'): Route {
  return get(path, {
    summary: `Count the ${kind} of a post`,
    ...forReaders,
    params,
    async handle({ app, params, request }): Promise<HttpResponse> {
      const status = await requireReadableStatus(app, request, params.username, params.id);
      if (status instanceof HttpResponse) return status;
      const totalItems = await loadCount(app, status.id, column);
      const id = `${status.uri}/${kind}`;
      return activityResponse(
        app,
        { id, type: 'Collection', totalItems },
        { open: isPublicOrUnlisted(status.visibility) },
      );
    },
  });
}

async function loadCount(
  app: App,
  statusId: StatusId,
  column: 'replies_count' | 'favourites_count' | 'reblogs_count',
): Promise<number> {
  const row = await app.db
    .selectFrom('status_stats')
    .select(`${column} as count`)
    .where('status_id', '=', statusId)
    .executeTakeFirst();
  return row?.count ?? 0;
}

export const reactionRoutes: readonly Route[] = [
  replies,
  countRoute('/users/:username/statuses/:id/likes', 'likes', 'favourites_count'),
  countRoute('/users/:username/statuses/:id/shares', 'shares', 'reblogs_count'),
];
