import { expect, test } from 'vitest';
import { addRule } from '../../staff/moderation-rules.ts';
import { followAcross, homeTimeline, postStatus, twoServers } from '../two-servers.ts';

test('ADM-05: a remote post that a rule refuses is not stored, and recorded once; others and edits are compared too', async () => {
  await using servers = await twoServers();
  const { network, a, b, alice, bob } = servers;
  await followAcross(servers, a, alice, 'bob@b.test');
  await addRule(a, { origin: 'remote' });
  const refused = await postStatus(bob, { status: 'Win at the casino' });
  await network.drain();
  // A local post is not compared with it.
  await postStatus(alice, { status: 'Casino' });
  expect((await homeTimeline(alice)).map(({ account }) => account.acct)).toEqual(['alice']);
  // Fetching it does not store it either.
  const found = await alice.get(`/api/v2/search?resolve=true&q=${encodeURIComponent(refused.uri)}`);
  expect(found.json.statuses).toEqual([]);
  const matches = () => a.app.db.selectFrom('moderation_rule_matches').select(['uri', 'actions', 'excerpt']).execute();
  expect(await matches()).toEqual([{ uri: refused.uri, actions: ['reject'], excerpt: 'Win at the casino' }]);

  const { id } = await postStatus(bob, { status: 'Harmless' });
  await network.drain();
  for (const status of ['Still harmless', 'Casino after all']) {
    b.clock.advance(2_000);
    expect((await bob.put(`/api/v1/statuses/${id}`, { status })).status).toBe(200);
    await network.drain();
  }
  const [shown] = await homeTimeline(alice);
  expect(shown).toMatchObject({ content: '<p>Still harmless</p>', account: { acct: 'bob@b.test' } });
  expect(await matches()).toHaveLength(2);
});
