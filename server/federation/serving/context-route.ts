import { sql } from 'kysely';
import { Type } from 'typebox';
import type { App } from '../../platform/app.ts';
import { notFound } from '../../platform/http/problems.ts';
import { get } from '../../platform/http/routes.ts';
import { idSchema, type ConversationId, type StatusId } from '../../platform/ids.ts';
import { collectionPage } from '../documents/collections.ts';
import { contextUri } from '../documents/context-uri.ts';
import type { Json } from '../documents/values.ts';
import { activityAnswer } from './answers.ts';
import { checkSigner } from './signer.ts';

const pageSize = 60;

/** All that everybody may read of a conversation that began here (FEP-7888), the oldest first. */
export const context = get('/contexts/:id', {
  summary: 'The posts of a conversation',
  access: 'anyone',
  params: Type.Object({ id: idSchema<'conversation'>() }),
  input: Type.Object({
    page: Type.Optional(Type.Boolean()),
    min_id: Type.Optional(idSchema<'status'>()),
  }),
  response: Type.Unknown(),
  rateLimit: 'none',
  undocumented: true,
  async handle({ app, params, input, request }) {
    await checkSigner(app, request);
    const author = await beginner(app, params.id);
    const page = await contextPage(app, params.id, input.min_id);
    const id = contextUri(app, params.id);
    return activityAnswer(
      app,
      input.page === true ? page : { id, type: 'Collection', attributedTo: author, first: page },
    );
  },
});

/** Id of the actor whose post began a conversation; 404 unless that is one of this server that everybody may read. */
async function beginner(app: App, id: ConversationId): Promise<string> {
  const { rows } = await sql<{ uri: string; open: boolean }>`
    select author.uri, first.local and not first.is_reply and first.visibility in ('public', 'unlisted')
      and author.suspended_at is null as open
    from statuses first join accounts author on author.id = first.account_id
    where first.conversation_id = ${id}::bigint and first.deleted_at is null
    order by first.id limit 1`.execute(app.db);
  const [first] = rows;
  if (first?.open !== true) throw notFound();
  return first.uri;
}

async function contextPage(app: App, conversationId: ConversationId, after: StatusId | undefined): Promise<Json> {
  const { rows } = await sql<{ id: StatusId; uri: string }>`
    select status.id, status.uri from statuses status join accounts author on author.id = status.account_id
    where status.conversation_id = ${conversationId}::bigint and status.deleted_at is null
      and status.visibility in ('public', 'unlisted') and status.reblog_of_id is null
      and author.suspended_at is null and status.id > ${after ?? '-9223372036854775808'}::bigint
    order by status.id limit ${pageSize}`.execute(app.db);
  const id = contextUri(app, conversationId);
  const last = rows.length === pageSize ? rows.at(-1)?.id : undefined;
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
