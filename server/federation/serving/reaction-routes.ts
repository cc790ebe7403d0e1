import { sql } from 'kysely';
import { Type } from 'typebox';
import type { App } from '../../platform/app.ts';
import { Answer } from '../../platform/http/answers.ts';
import { get, type Route } from '../../platform/http/routes.ts';
import { idSchema, type StatusId } from '../../platform/ids.ts';
import { isForEverybody, statusUri, type StatusBody } from '../../statuses/index.ts';
import { collectionPage } from '../documents/collections.ts';
import { noteContext } from '../documents/contexts.ts';
import { noteDocuments } from '../documents/note-documents.ts';
import type { Json } from '../documents/values.ts';
import type { KnownKey } from '../keys/find-key.ts';
import { activityAnswer } from './answers.ts';
import { readableStatus } from './object-routes.ts';
import { findReader, unlessBlocked } from './reader.ts';

const params = Type.Object({ username: Type.String(), id: idSchema<'status'>() });
const repliesPerPage = 60;

const replies = get('/users/:username/statuses/:id/replies', {
  summary: 'The replies to a post',
  access: 'anyone',
  params,
  input: Type.Object({
    page: Type.Optional(Type.Boolean()),
    min_id: Type.Optional(idSchema<'status'>()),
    only_other_accounts: Type.Optional(Type.Boolean()),
  }),
  response: Type.Unknown(),
  rateLimit: 'none',
  undocumented: true,
  async handle({ app, params, input, request }) {
    const status = await readableStatus(app, request, params.username, params.id);
    if (status instanceof Answer) return status;
    const id = `${statusUri(app, params.username, params.id)}/replies`;
    const others = input.only_other_accounts ?? false;
    const reader = await findReader(app, request);
    const first = await repliesPage(app, status, { id, others, after: input.min_id, reader });
    return activityAnswer(app, input.page === true ? first : { id, type: 'Collection', first }, {
      context: noteContext,
      open: isForEverybody(status.visibility),
    });
  },
});

interface RepliesCursor {
  readonly id: string;
  /** The replies of others; those of the author come first. */
  readonly others: boolean;
  readonly after: StatusId | undefined;
  readonly reader: KnownKey | undefined;
}

async function repliesPage(app: App, status: StatusBody, { id, others, after, reader }: RepliesCursor): Promise<Json> {
  const rows = await app.db
    .selectFrom('statuses')
    .select(['id', 'uri', 'local'])
    .where('in_reply_to_id', '=', status.id)
    .where('account_id', others ? '<>' : '=', status.accountId)
    .where('deleted_at', 'is', null)
    .where(sql<boolean>`visibility in ('public', 'unlisted')`)
    .where(unlessBlocked(reader, sql.ref('statuses.account_id')))
    .where(sql<boolean>`(${after ?? null}::bigint is null or id > ${after ?? null}::bigint)`)
    .orderBy('id')
    .limit(repliesPerPage)
    .execute();
  const notes = await noteDocuments(app, others ? [] : rows.filter(({ local }) => local).map((row) => row.id));
  const last = rows.length === repliesPerPage ? rows.at(-1)?.id : undefined;
  const address = (parts: string) => `${id}?${parts}page=true`;
  const own = others ? 'only_other_accounts=true&' : '';
  const next =
    last !== undefined ? address(`${own}min_id=${last}&`) : others ? undefined : address('only_other_accounts=true&');
  return collectionPage(
    {
      id: address(`${own}${after === undefined ? '' : `min_id=${after}&`}`),
      partOf: id,
      // The author's own answers come whole, so that a thread is read in one go.
      items: rows.map((row) => notes.get(row.id) ?? row.uri),
      next,
    },
    false,
  );
}

/** How often something was done with a post; who did it is not told. */
function countRoute(kind: 'likes' | 'shares', column: 'favourites_count' | 'reblogs_count'): Route {
  return get(`/users/:username/statuses/:id/${kind}`, {
    summary: `How many ${kind} a post has`,
    access: 'anyone',
    params,
    response: Type.Unknown(),
    rateLimit: 'none',
    undocumented: true,
    async handle({ app, params, request }): Promise<Answer> {
      const status = await readableStatus(app, request, params.username, params.id);
      if (status instanceof Answer) return status;
      const row = await app.db
        .selectFrom('status_stats')
        .select(`${column} as count`)
        .where('status_id', '=', status.id)
        .executeTakeFirst();
      const id = `${statusUri(app, params.username, params.id)}/${kind}`;
      return activityAnswer(
        app,
        { id, type: 'Collection', totalItems: row?.count ?? 0 },
        { open: isForEverybody(status.visibility) },
      );
    },
  });
}

export const reactionRoutes: readonly Route[] = [
  replies,
  countRoute('likes', 'favourites_count'),
  countRoute('shares', 'reblogs_count'),
];
