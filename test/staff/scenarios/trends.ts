import { sql, type RawBuilder } from 'kysely';
import type { TestServer } from '../../server.ts';
import type { StaffRequest, StaffScenarios } from '../staff-scenario.ts';

const tags = '/api/v1/admin/tags';
const trends = '/api/v1/admin/trends';

type CreateSubject = (server: TestServer) => Promise<string>;

async function createStatus(server: TestServer): Promise<string> {
  const author = await server.user('author');
  return (await author.post('/api/v1/statuses', { status: 'Look, #birds' })).json.id;
}

async function createTag(server: TestServer): Promise<string> {
  await createStatus(server);
  const tag = await server.app.db.selectFrom('tags').select('id').where('name', '=', 'birds').executeTakeFirstOrThrow();
  return tag.id;
}

/** Stores a link that waits for a review. */
async function createLink({ db }: TestServer): Promise<string> {
  await sql`
    insert into preview_cards (id, url, type, link_type, title, created_at, updated_at)
    values (1, 'https://news.test/story', 'link', 'article', 'Story', now(), now())`.execute(db);
  return insertedId(db, sql`insert into link_reviews (card_id, domain) values (1, 'news.test') returning id`);
}

const createPublisher = ({ db }: TestServer): Promise<string> =>
  insertedId(db, sql`insert into link_publishers (domain) values ('news.test') returning id`);

async function insertedId(db: TestServer['db'], insert: RawBuilder<unknown>): Promise<string> {
  const { rows } = await insert.execute(db);
  return (rows as { readonly id: string }[])[0]?.id ?? '';
}

const on =
  (prefix: string, create: CreateSubject, action = '', body?: StaffRequest['body']) =>
  async (server: TestServer): Promise<StaffRequest> => ({
    path: `${prefix}/${await create(server)}${action}`,
    ...(body !== undefined && { body }),
  });

const decisionsOn = (prefix: string, create: CreateSubject): StaffScenarios => ({
  [`POST ${prefix}/:id/approve`]: on(prefix, create, '/approve'),
  [`POST ${prefix}/:id/reject`]: on(prefix, create, '/reject'),
});

export const trendScenarios: StaffScenarios = {
  [`GET ${tags}`]: async () => ({ path: tags }),
  [`GET ${tags}/:id`]: on(tags, createTag),
  [`PUT ${tags}/:id`]: on(tags, createTag, '', { listable: false }),
  [`GET ${trends}/links/publishers`]: async () => ({ path: `${trends}/links/publishers` }),
  ...decisionsOn(`${trends}/tags`, createTag),
  ...decisionsOn(`${trends}/statuses`, createStatus),
  ...decisionsOn(`${trends}/links`, createLink),
  ...decisionsOn(`${trends}/links/publishers`, createPublisher),
};
