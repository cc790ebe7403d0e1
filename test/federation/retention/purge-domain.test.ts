import { expect, test } from 'vitest';
import { listDomainData, purgeDomain } from '../../../server/federation/retention/index.ts';
import type { StatusId } from '../../../server/platform/ids.ts';
import { postBy } from '../../feeds.ts';
import { startServer, type TestServer } from '../../server.ts';
import { RemotePosts } from './remote-posts.ts';

/** Runs the purge to its end: it pauses between batches of accounts. */
async function finish(server: TestServer): Promise<void> {
  for (let rows = 1; rows > 0;) {
    await server.drain();
    server.clock.advance(2);
    rows = (
      await server.app.db.selectFrom('jobs').select('id').where('name', '=', 'federation.delete_domain_data').execute()
    ).length;
  }
}

test('ADM-03: all data of a domain is deleted by jobs; that of others and of its subdomains stays', async () => {
  await using server = await startServer();
  const alice = await server.user('alice');
  const remote = new RemotePosts(server, 'far.test');
  const other = new RemotePosts(server, 'sub.far.test');
  const authors = [];
  for (let index = 0; index < 12; index += 1) authors.push(await remote.account(`bird${index}`));
  const [eve = authors[0]] = authors;
  if (eve === undefined) throw new Error('no author');
  const stays = await other.post(await other.account('fay'));
  const own = await postBy(alice, 'Mine');
  await remote.post(eve, { attachments: [{ url: 'https://far.test/a.png' }] }, 1);
  const direct = await remote.post(eve, { visibility: 'direct', mentions: [{ accountId: alice.id }] }, 1);
  const boosted = await remote.post(eve, {}, 1);
  const boost = (await alice.post(`/api/v1/statuses/${boosted}/reblog`)).json.id as string;
  await remote.post(eve, { inReplyToId: own as StatusId }, 0);
  await remote.reblog(eve, own as StatusId, 0);
  await server.db
    .insertInto('custom_emojis')
    .values(
      ['far.test', 'sub.far.test'].map((domain, index) => ({
        id: String(index + 1) as never,
        shortcode: 'gull',
        domain,
        remote_url: `https://${domain}/gull.png`,
        created_at: server.clock.now(),
        updated_at: server.clock.now(),
      })),
    )
    .execute();
  await server.drain();
  expect((await alice.get(`/api/v1/statuses/${own}`)).json).toMatchObject({ replies_count: 1, reblogs_count: 1 });
  expect((await alice.get('/api/v1/conversations')).json).toHaveLength(1);
  expect(await listDomainData(server.app, 'far.test', false)).toEqual([
    { domain: 'far.test', accounts: 12, statuses: 5, emojis: 1 },
  ]);
  expect((await listDomainData(server.app, 'far.test', true)).map(({ domain }) => domain)).toEqual([
    'far.test',
    'sub.far.test',
  ]);

  expect(await purgeDomain(server.app, 'system', 'far.test')).toBe(true);
  expect(await purgeDomain(server.app, 'system', 'far.test')).toBe(false);
  await finish(server);
  const left = await server.app.db
    .selectFrom('accounts')
    .select(['username', 'domain'])
    .where('domain', 'is not', null)
    .where('deleted_at', 'is', null)
    .execute();
  expect(left).toEqual([{ username: 'fay', domain: 'sub.far.test' }]);
  const statuses = await server.app.db
    .selectFrom('statuses')
    .select('id')
    .where('deleted_at', 'is', null)
    .orderBy('id')
    .execute();
  expect(statuses.map(({ id }) => id)).toEqual([stays, own]);
  expect((await alice.get(`/api/v1/statuses/${own}`)).json).toMatchObject({ replies_count: 0, reblogs_count: 0 });
  expect((await alice.get('/api/v1/conversations')).json).toEqual([]);
  for (const id of [boost, direct]) expect((await alice.get(`/api/v1/statuses/${id}`)).status).toBe(404);
  expect((await alice.get(`/api/v1/accounts/${alice.id}`)).json.statuses_count).toBe(1);
  expect(await server.app.db.selectFrom('media_attachments').select('id').execute()).toEqual([]);
  expect(await server.app.db.selectFrom('custom_emojis').select('domain').execute()).toEqual([
    { domain: 'sub.far.test' },
  ]);
  server.clock.advance(2 * 86_400);
  await server.drain();
  expect(await listDomainData(server.app, 'far.test', false)).toEqual([]);
  const log = await server.app.db.selectFrom('audit_log').select(['action', 'target_label']).execute();
  expect(log).toEqual([{ action: 'server.purge', target_label: 'far.test' }]);
});

test('accounts that arrive during a purge stay, so that it ends', async () => {
  await using server = await startServer();
  const remote = new RemotePosts(server, 'far.test');
  await remote.account('early');
  await purgeDomain(server.app, 'system', 'far.test');
  server.clock.advance(1);
  await remote.account('late');
  await finish(server);
  const left = await server.app.db
    .selectFrom('accounts')
    .select('username')
    .where('domain', '=', 'far.test')
    .where('deleted_at', 'is', null)
    .execute();
  expect(left).toEqual([{ username: 'late' }]);
});
