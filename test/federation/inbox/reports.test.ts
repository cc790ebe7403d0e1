import { expect, test } from 'vitest';
import { loadCachedAccounts } from '../../../server/accounts/present/index.ts';
import { blockDomain, unblockDomain } from '../../../server/site/domains/index.ts';
import { forwardReport } from '../../../server/moderation/reports/index.ts';
import type { AccountId } from '../../../server/platform/ids.ts';
import type { ReportId } from '../../../server/reports/index.ts';
import { Network } from '../../network.ts';
import type { TestServer } from '../../server.ts';
import { Peer } from '../peer.ts';
import { peerScene } from '../peer-scene.ts';
import { followAcross, postStatus, resolveAccountOn, resolveStatusOn, twoServers } from '../two-servers.ts';

const reports = '/api/v1/reports';

interface StoredReport {
  readonly id: string;
  readonly account_id: string;
  readonly target_account_id: string;
  readonly domain: string | null;
  readonly comment: string;
  readonly status_ids: string[];
  readonly collection_ids: string[];
  readonly forwarded: boolean;
}

const storedReports = async (server: TestServer): Promise<StoredReport[]> =>
  (await server.pool.query<StoredReport>('select * from reports order by id')).rows;

test('ADM-05 FED-02: a forwarded report reaches the staff of the other server, in the name of the instance actor', async () => {
  await using scene = await twoServers();
  const { network, a, b, alice, bob } = scene;
  await b.user('marge', { role: 'moderator', email: 'marge@b.test' });
  const bobId = await followAcross(scene, a, alice, 'bob@b.test');
  const post = await postStatus(bob, { status: 'Spam', visibility: 'private' });
  await network.drain();
  const statusId = await resolveStatusOn(a, post.uri);
  const body = { account_id: bobId, status_ids: [statusId], comment: 'Look', forward: true };
  const sent = await alice.post(reports, body);
  expect(sent.json).toMatchObject({ forwarded: true, status_ids: [statusId] });
  await network.drain();
  const [received, ...others] = await storedReports(b);
  expect(others).toEqual([]);
  expect(received).toMatchObject({
    domain: 'a.test',
    target_account_id: bob.id,
    comment: 'Look',
    status_ids: [post.id],
    forwarded: false,
  });
  const reporterId = received?.account_id as AccountId;
  expect((await loadCachedAccounts(b.app, [reporterId])).get(reporterId)?.acct).toBe('a.test@a.test');
  expect(b.outbox.map(({ to }) => to)).toEqual(['marge@b.test']);
  expect(b.outbox[0]?.text).toContain('Someone on a.test reported @bob');
  const { rows } = await b.pool.query('select content from reported_statuses');
  expect(rows).toEqual([{ content: '<p>Spam</p>' }]);
  // Without `forward`, or with another domain, nothing is sent.
  for (const more of [{ forward: false }, { forward_to_domains: ['c.test'] }]) {
    const kept = await alice.post(reports, { ...body, comment: 'Kept', ...more });
    expect(kept.json.forwarded).toBe(false);
  }
  await network.drain();
  expect(await storedReports(b)).toHaveLength(1);
});

test('a report is forwarded to a server that the posts reply to, with those posts only, if it is chosen', async () => {
  await using network = new Network();
  const a = await network.start('a.test');
  const alice = await a.user('alice');
  const [peer, third] = [new Peer(network, 'peer.test'), new Peer(network, 'third.test')];
  const [eve, tom] = [peer.actor('eve'), third.actor('tom')];
  const targetId = await resolveAccountOn(a, 'eve@peer.test');
  await resolveAccountOn(a, 'tom@third.test');
  third.serve(tom.note(1));
  const statusIds: (string | undefined)[] = [];
  for (const note of [eve.note(1), eve.note(2, { inReplyTo: `${tom.uri}/notes/1` })]) {
    peer.serve(note);
    statusIds.push(await resolveStatusOn(a, String(note['id'])));
    await network.drain();
  }
  const sent = await alice.post(reports, {
    account_id: targetId,
    status_ids: statusIds,
    comment: 'Rude',
    forward: true,
    forward_to_domains: ['Third.Test', 'peer.test', 'unrelated.test'],
  });
  expect(sent.json.forwarded).toBe(true);
  await network.drain();
  const flagsOf = ({ received }: Peer) =>
    received.filter(({ activity }) => activity['type'] === 'Flag').map(({ activity }) => activity);
  expect(flagsOf(peer)).toEqual([
    {
      '@context': 'https://www.w3.org/ns/activitystreams',
      id: `https://a.test/actor#flags/${sent.json.id}`,
      type: 'Flag',
      actor: 'https://a.test/actor',
      to: [eve.uri],
      content: 'Rude',
      object: [eve.uri, `${eve.uri}/notes/1`, `${eve.uri}/notes/2`],
    },
  ]);
  expect(flagsOf(third)).toEqual([expect.objectContaining({ object: [eve.uri, `${eve.uri}/notes/2`] })]);
  expect(JSON.stringify([...flagsOf(peer), ...flagsOf(third)])).not.toContain('alice');
  await blockDomain(a.app, 'system', { domain: 'peer.test', severity: 'suspend' });
  await a.drain();
  const blocked = await alice.post(reports, { account_id: targetId, comment: 'Again', forward: true });
  expect(blocked.json.forwarded).toBe(false);
});

test('ADM-05: a Flag is stored once, with the posts that its server can know, and a bounded comment', async () => {
  await using scene = await peerScene();
  const { a, alice, eve } = scene;
  const other = await a.user('other');
  const [open, secret, otherPost] = [
    await postStatus(alice, { status: 'open' }),
    await postStatus(alice, { status: 'secret', visibility: 'private' }),
    await postStatus(other, { status: 'by another' }),
  ];
  const flag = eve.activity(
    'Flag',
    [
      'https://a.test/users/alice',
      open.uri,
      secret.uri,
      otherPost.uri,
      'https://a.test/users/alice/statuses/1',
      'https://unknown.test/users/nobody',
    ],
    { content: 'x'.repeat(6_000) },
  );
  expect(await eve.send(a, flag)).toBe(202);
  expect(await eve.send(a, flag)).toBe(202);
  await a.drain();
  const [stored, ...others] = await storedReports(a);
  expect(others).toEqual([]);
  expect(stored).toMatchObject({ target_account_id: alice.id, domain: 'peer.test', status_ids: [open.id] });
  expect(stored?.comment).toHaveLength(5_000);
  // The same again with another id; a Flag of unknown objects; one about a remote account; one about posts alone.
  await eve.send(a, { ...flag, id: `${eve.uri}#again` });
  await eve.send(a, eve.activity('Flag', ['https://unknown.test/users/nobody', 'https://a.test/nothing']));
  await eve.send(a, eve.activity('Flag', [eve.uri]));
  await eve.send(a, eve.activity('Flag', 'https://a.test/actor'));
  await eve.send(a, eve.activity('Flag', { id: otherPost.uri, type: 'Note' }));
  await a.drain();
  expect((await storedReports(a)).map(({ target_account_id: id }) => id)).toEqual([alice.id, other.id]);
});

test('FED-05: reports of a domain are refused when staff reject them or suspend it, or after 400 in a day', async () => {
  await using scene = await peerScene();
  const { a, alice, eve } = scene;
  const send = (content: string): Promise<number> =>
    eve.send(a, eve.activity('Flag', ['https://a.test/users/alice'], { content }));
  await blockDomain(a.app, 'system', { domain: 'peer.test', severity: 'noop', rejectReports: true });
  expect(await send('one')).toBe(202);
  await a.drain();
  expect(await storedReports(a)).toEqual([]);
  await blockDomain(a.app, 'system', { domain: 'peer.test', severity: 'suspend', rejectReports: false });
  expect(await send('two')).toBe(403);
  await unblockDomain(a.app, 'system', 'peer.test');
  await a.drain();
  await send('three');
  await a.drain();
  expect(await storedReports(a)).toMatchObject([{ comment: 'three', target_account_id: alice.id }]);
  await a.pool.query(
    `insert into reports select id + number, account_id, target_account_id, domain, null, category, comment, rule_ids,
       status_ids, collection_ids, forward_domains, forwarded, now(), created_at, updated_at
     from reports, generate_series(1, 399) number`,
  );
  await send('too many');
  await a.drain();
  expect(await storedReports(a)).toHaveLength(400);
  a.clock.advance(86_401);
  await send('a day later');
  await a.drain();
  expect(await storedReports(a)).toHaveLength(401);
});

test('ADM-05, FED-02: staff forward a report once, and the staff of the other server act on it as on a local one', async () => {
  await using scene = await twoServers();
  const { network, a, b, alice, bob } = scene;
  const marge = await b.user('marge', { role: 'moderator', scopes: 'read admin:read admin:write' });
  const homer = await a.user('homer', { role: 'moderator', scopes: 'admin:read admin:write' });
  const bobId = await followAcross(scene, a, alice, 'bob@b.test');
  const post = await postStatus(bob, { status: 'Spam' });
  await network.drain();
  const statusId = await resolveStatusOn(a, post.uri);
  const body = { account_id: bobId, status_ids: [statusId], comment: 'Look' };
  const { id } = (await alice.post(reports, body)).json as { id: ReportId };
  await network.drain();
  expect(await storedReports(b)).toEqual([]);
  const forwarded = await homer.post(`/api/v1/fieldfare/admin/reports/${id}/forward`);
  expect([forwarded.status, forwarded.json.forwarded]).toEqual([200, true]);
  expect(await forwardReport(a.app, homer.id, id)).toBe(false);
  await network.drain();
  const [received, ...others] = await storedReports(b);
  expect(others).toEqual([]);
  expect(received).toMatchObject({ domain: 'a.test', comment: 'Look', status_ids: [post.id] });

  expect((await marge.get('/api/v1/notifications')).json).toMatchObject([
    { type: 'admin.report', report: { id: received?.id } },
  ]);
  const path = `/api/v1/admin/reports/${received?.id}`;
  expect((await marge.get(path)).json).toMatchObject({
    account: { domain: 'a.test', email: null, ips: null, role: null },
    target_account: { id: bob.id, email: 'bob@mail.test' },
    statuses: [{ id: post.id }],
  });
  expect((await marge.put(path, { category: 'spam' })).json.category).toBe('spam');
  expect((await marge.post(`${path}/resolve`)).json).toMatchObject({ action_taken: true });
  await network.drain();
  expect((await homer.get(`/api/v1/admin/reports/${id}`)).json.action_taken).toBe(false);
});

test('ADM-05: a report is not forwarded to a suspended server', async () => {
  await using scene = await twoServers();
  const { network, a, b, alice } = scene;
  const bobId = await resolveAccountOn(a, 'bob@b.test');
  const { id } = (await alice.post(reports, { account_id: bobId })).json as { id: ReportId };
  await blockDomain(a.app, 'system', { domain: 'b.test', severity: 'suspend' });
  await expect(forwardReport(a.app, 'system', id)).rejects.toThrow('Domain is suspended');
  await unblockDomain(a.app, 'system', 'b.test');
  expect(await forwardReport(a.app, 'system', id)).toBe(true);
  await network.drain();
  expect(await storedReports(b)).toMatchObject([{ comment: '' }]);
});
