import { expect, test } from 'vitest';
import { postStatus, twoServers } from './two-servers.ts';

const imports = '/api/v1/fieldfare/imports';

test('remote accounts and posts are fetched for an import, and what cannot be found is named', async () => {
  await using scene = await twoServers();
  const { network, alice, bob } = scene;
  const post = await postStatus(bob, { status: 'worth keeping' });
  const importFile = async (type: string, csv: string) => {
    const { json } = await alice.post(imports, { type, csv });
    await alice.post(`${imports}/${json.id}/confirm`);
    await network.drain();
    return (await alice.get(`${imports}/${json.id}`)).json;
  };
  expect(await importFile('following', 'Account address\nbob@b.test\nnobody@b.test\neve@down.test\n')).toMatchObject({
    state: 'finished',
    imported_count: 1,
    failures: [
      { target: 'nobody@b.test', problem: 'not_found' },
      { target: 'eve@down.test', problem: 'unreachable' },
    ],
  });
  expect((await bob.get('/api/v1/notifications')).json).toMatchObject([{ type: 'follow' }]);
  expect(await importFile('bookmarks', `${post.uri}\nhttps://b.test/nothing\n`)).toMatchObject({
    imported_count: 1,
    failures: [{ target: 'https://b.test/nothing', problem: 'not_found' }],
  });
  expect((await alice.get('/api/v1/bookmarks')).json).toMatchObject([{ uri: post.uri }]);
  const { json: lists } = await alice.get('/api/v1/lists');
  expect(lists).toEqual([]);
  expect(await importFile('lists', 'Far away,bob@b.test\n')).toMatchObject({ imported_count: 1, failed_count: 0 });
  const [list] = (await alice.get('/api/v1/lists')).json;
  expect((await alice.get(`/api/v1/lists/${list.id}/accounts`)).json).toMatchObject([{ acct: 'bob@b.test' }]);
});
