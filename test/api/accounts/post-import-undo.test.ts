import sharp from 'sharp';
import { expect, test } from 'vitest';
import { runChecks } from '../../../server/maintenance/index.ts';
import { startServer, type TestServer, type TestUser } from '../../server.ts';
import { importFile, postImports } from './import-posts.ts';
import { createOf, filesOf, oldActor, tarGzOf } from './post-import-files.ts';

const png = () =>
  sharp({ create: { width: 40, height: 30, channels: 3, background: '#396' } })
    .png()
    .toBuffer();

const listOwn = async (user: TestUser, query = '') =>
  (await user.get(`/api/v1/accounts/${user.id}/statuses?only_imported=true${query}`)).json as {
    id: string;
    replies_count: number;
  }[];

const countLeft = async ({ pool }: TestServer) =>
  (
    await pool.query(`
      select (select count(*)::int from imported_statuses) as listed,
        (select count(*)::int from statuses where deleted_at is null) as shown`)
  ).rows[0];

test('an import that is undone takes everything of its posts with it, and nothing else', async () => {
  await using server = await startServer();
  const [alice, bob] = [await server.user('alice'), await server.user('bob')];
  await importFile(server, alice, tarGzOf(filesOf([createOf(1, 'kept')])));
  const [kept] = await listOwn(alice);
  const attachment = [{ type: 'Document', url: 'media_attachments/bird.png' }];
  const items = [
    createOf(2, 'reply', { inReplyTo: `${oldActor}/statuses/1` }),
    createOf(3, 'reply to the reply', { inReplyTo: `${oldActor}/statuses/2` }),
    createOf(4, 'image', { attachment }),
  ];
  const files = filesOf(items, { 'media_attachments/bird.png': await png() });
  const { id: importId } = await importFile(server, alice, tarGzOf(files));
  const [image, , reply] = await listOwn(alice);
  expect(await listOwn(alice, `&max_id=${reply?.id}`)).toMatchObject([{ id: kept?.id, replies_count: 1 }]);
  await bob.post(`/api/v1/statuses/${image?.id}/favourite`);
  await alice.post(`/api/v1/statuses/${image?.id}/pin`);
  const quote = (await alice.post('/api/v1/statuses', { status: 'quote', quoted_status_id: image?.id })).json;
  await server.drain();
  expect((await alice.get('/api/v1/notifications')).json).toHaveLength(1);
  const { file_key: key } = await server.db
    .selectFrom('media_attachments')
    .select('file_key')
    .executeTakeFirstOrThrow();

  await alice.delete(`${postImports}/${importId}`);
  await server.drain();
  expect(await listOwn(alice)).toMatchObject([{ id: kept?.id, replies_count: 0 }]);
  expect((await alice.get('/api/v1/notifications')).json).toEqual([]);
  expect((await bob.get('/api/v1/favourites')).json).toEqual([]);
  expect((await alice.get(`/api/v1/accounts/${alice.id}/statuses?pinned=true`)).json).toEqual([]);
  expect((await alice.get('/api/v2/search?type=statuses&q=reply')).json.statuses).toEqual([]);
  expect((await alice.get(`/api/v1/statuses/${quote.id}`)).json.quote).toMatchObject({ state: 'deleted' });
  expect(await server.app.storage.get(key ?? '')).toBeUndefined();
  const checks = await runChecks(server.app, 'system', { dryRun: true, onProgress: () => {} });
  expect(checks.filter(({ found }) => found > 0)).toEqual([]);
  // The same archive can be imported again, and its reply finds its parent again.
  expect(await importFile(server, alice, tarGzOf(files))).toMatchObject({ imported_count: 3 });
  expect((await listOwn(alice)).at(-1)).toMatchObject({ id: kept?.id, replies_count: 1 });
});

test('undoing goes on with the next batch after its process died', async () => {
  await using server = await startServer();
  const alice = await server.user('alice');
  const items = Array.from({ length: 520 }, (_, number) => createOf(number, `post ${number}`));
  const { id } = await importFile(server, alice, tarGzOf(filesOf(items)));
  // The second batch fails at its end, as it does when the process dies.
  await server.pool.query(`
    create function refuse() returns trigger language plpgsql as $$ begin
      if not exists (select from imported_statuses) then raise exception 'no'; end if; return null; end $$;
    create trigger refuse after delete on imported_statuses for each statement execute function refuse()`);
  server.expectFailedJobs('account_data.import_posts');
  await alice.delete(`${postImports}/${id}`);
  await server.drain();
  expect((await alice.get(`${postImports}/${id}`)).json).toMatchObject({ state: 'undoing' });
  expect(await countLeft(server)).toEqual({ listed: 20, shown: 20 });
  await server.pool.query('drop trigger refuse on imported_statuses');
  server.clock.advance(3_600);
  await server.drain();
  expect((await alice.get(`${postImports}/${id}`)).status).toBe(404);
  expect(await countLeft(server)).toEqual({ listed: 0, shown: 0 });
});
