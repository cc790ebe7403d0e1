import { expect, test } from 'vitest';
import { deleteAccount } from '../../../server/accounts/lifecycle/index.ts';
import { rejectSignUp } from '../../../server/moderation/index.ts';
import { changeSiteSettings } from '../../../server/site/index.ts';
import { everyoneRoleId } from '../../../server/users/access/index.ts';
import { createInvite, createOwnInvite, findInvite } from '../../../server/users/invites/index.ts';
import { createUser } from '../../../server/users/sign-up/index.ts';
import { Browser } from '../../browser.ts';
import { confirmByLink } from '../../confirm-by-link.ts';
import { startServer, type TestServer, type TestUser } from '../../server.ts';

const path = '/settings/invites';

async function signedIn(server: TestServer, name: string): Promise<Browser> {
  const browser = new Browser(server);
  await browser.signIn(name);
  return browser;
}

const findCodes = (text: string): string[] =>
  [...text.matchAll(/href="https:\/\/fieldfare\.test\/invite\/(\w+)"/g)].map(([, code = '']) => code);

const revokePathOf = (text: string): string => /action="(\/settings\/invites\/\d+\/revoke)"/.exec(text)?.[1] ?? '';

const setPermissions = (server: TestServer, permissions: number) =>
  server.db
    .updateTable('roles')
    .set({ permissions: String(permissions) })
    .where('id', '=', everyoneRoleId)
    .execute();

const signUp = (server: TestServer, username: string, inviteCode: string, confirmed = false) =>
  createUser(server.app, {
    username,
    email: `${username}@mail.test`,
    password: 'correct horse',
    agreement: true,
    inviteCode,
    confirmed,
  });

const usesOf = async (server: TestServer, code: string) => (await findInvite(server.app, code))?.uses;

test('REG-01: users create invites on a page, people sign up with them, and users revoke them', async () => {
  await using server = await startServer({ settings: { REGISTRATIONS: 'closed' } });
  await server.user('alice');
  const browser = await signedIn(server, 'alice');
  await browser.open('/auth/edit');
  expect(browser.text).toContain(`href="${path}"`);
  await browser.open(path);
  expect(browser.text).toContain('You have no invites.');
  expect(browser.text).toContain('The staff approve each sign-up.');
  await browser.submit(path, { max_uses: '5', expires_in: '604800' });
  await browser.submit(path, { max_uses: '', expires_in: '' });
  expect(browser.path).toBe(path);
  const [unlimited = '', limited = ''] = findCodes(browser.text);
  expect(browser.text).toContain('Used by 0 of 5.');
  expect(browser.text).toContain('0 people have signed up.');
  expect(browser.text.match(/Expires: <time/g)).toHaveLength(1);
  expect(await findInvite(server.app, limited)).toMatchObject({
    username: 'alice',
    maxUses: 5,
    expiresAt: new Date(server.clock.now().getTime() + 604_800_000),
  });
  expect(await findInvite(server.app, unlimited)).toMatchObject({ maxUses: null, expiresAt: null });

  await signUp(server, 'guest', unlimited);
  await browser.open(path);
  expect(browser.text).toContain('1 person has signed up.');
  await browser.submit(revokePathOf(browser.text));
  expect(findCodes(browser.text)).toEqual([limited]);
  // Its use stays known.
  expect(await findInvite(server.app, unlimited)).toMatchObject({ uses: 1, expiresAt: server.clock.now() });
  expect((await server.anonymous.get(`/invite/${unlimited}`)).status).toBe(401);
  const revokePath = revokePathOf(browser.text);
  await browser.submit(revokePath);
  expect(findCodes(browser.text)).toEqual([]);
  expect((await server.anonymous.get(`/invite/${limited}`)).status).toBe(404);
  expect((await browser.send(revokePath, browser.hiddenFields(path))).status).toBe(303);
});

test('the page of invites is only for users with the permission, and needs its own form', async () => {
  await using server = await startServer();
  const bob = await server.user('bob');
  await server.user('alice');
  const code = await createOwnInvite(server.app, bob.userId, {});
  const id = (await findInvite(server.app, code))?.id;
  const stranger = new Browser(server);
  await stranger.open(path);
  expect(stranger.path).toMatch(/^\/auth\/sign_in/);
  const browser = await signedIn(server, 'alice');
  await browser.open(path);
  expect(findCodes(browser.text)).toEqual([]);
  const fields = browser.hiddenFields(path);
  expect((await browser.send(path, {})).status).toBe(422);
  expect((await browser.send(`${path}/${id}/revoke`, fields)).status).toBe(303);
  expect(await findInvite(server.app, code)).toMatchObject({ expiresAt: null });
  await setPermissions(server, 0);
  for (const target of [path, `${path}/${id}/revoke`]) expect((await browser.send(target, fields)).status).toBe(404);
  await browser.open(path);
  expect(browser.status).toBe(404);
  await browser.open('/auth/edit');
  expect(browser.text).not.toContain(`href="${path}"`);
  expect(await usesOf(server, code)).toBe(0);
});

test('invites have only the offered values, and users at most 100 usable ones', async () => {
  await using server = await startServer();
  const alice = await server.user('alice');
  const browser = await signedIn(server, 'alice');
  await browser.open(path);
  await browser.submit(path, { max_uses: '7', expires_in: '60' });
  expect(browser.status).toBe(422);
  expect(browser.text).toContain('Max uses must be one of 1, 5, 10, 25, 50, 100');
  await browser.submit(path, { max_uses: '1', expires_in: '1800' });
  for (let count = 1; count < 100; count += 1)
    await createInvite(server.app, 'system', { username: 'alice', maxUses: 1 });
  await browser.submit(path, { max_uses: '5' });
  expect([browser.status, findCodes(browser.text).length]).toEqual([422, 100]);
  expect(browser.text).toContain('You have reached the maximum number of invites (100)');
  server.clock.advance(1_801);
  const results = await Promise.allSettled([1, 2, 3].map(() => createOwnInvite(server.app, alice.userId, {})));
  expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
});

test('REG-01: sign-ups that are abandoned, rejected or deleted before they are complete give back their invite', async () => {
  await using server = await startServer({ settings: { REGISTRATIONS: 'approval' } });
  await server.user('alice');
  const code = await createInvite(server.app, 'system', { username: 'alice', maxUses: 3 });
  await signUp(server, 'abandoned', code);
  const { accountId: rejected } = await signUp(server, 'rejected', code, true);
  const { accountId: deleted } = await signUp(server, 'deleted', code, true);
  expect(await usesOf(server, code)).toBe(3);
  await rejectSignUp(server.app, 'system', { accountId: rejected });
  expect(await usesOf(server, code)).toBe(2);
  await deleteAccount(server.app, deleted);
  expect(await usesOf(server, code)).toBe(1);
  server.clock.advance(8 * 86_400);
  await server.runSchedule('user.clean_up_unconfirmed');
  expect(await usesOf(server, code)).toBe(0);
  await changeSiteSettings(server.app, 'system', { registrations: 'open' });
  const { accountId: member } = await signUp(server, 'member', code, true);
  await deleteAccount(server.app, member);
  expect(await usesOf(server, code)).toBe(1);
  await server.drain();
});

test('guests need no approval if every user may skip it', async () => {
  await using server = await startServer({ settings: { REGISTRATIONS: 'approval' } });
  await server.user('alice');
  await setPermissions(server, 0x21_0000);
  const code = await createInvite(server.app, 'system', { username: 'alice' });
  expect((await findInvite(server.app, code))?.bypassesApproval).toBe(true);
  const { userId } = await signUp(server, 'guest', code);
  const user = await server.db.selectFrom('users').select('approved').where('id', '=', userId).executeTakeFirst();
  expect(user?.approved).toBe(true);
  const browser = await signedIn(server, 'alice');
  await browser.open(path);
  expect(browser.text).not.toContain('The staff approve each sign-up.');
  await server.drain();
});

test('invites that expired unused are deleted after a month; those that someone used stay', async () => {
  await using server = await startServer({ settings: { REGISTRATIONS: 'open' } });
  await server.user('alice');
  const [used, unused] = await Promise.all(
    [1, 2].map(() => createInvite(server.app, 'system', { username: 'alice', expiresInSeconds: 86_400 })),
  );
  await signUp(server, 'guest', used ?? '', true);
  server.clock.advance(30 * 86_400);
  await server.runSchedule('user.clean_up_invites');
  expect(await usesOf(server, unused ?? '')).toBe(0);
  server.clock.advance(2 * 86_400);
  await server.runSchedule('user.clean_up_invites');
  expect([await usesOf(server, used ?? ''), await usesOf(server, unused ?? '')]).toEqual([1, undefined]);
});

test('INS-01: apps learn whether every user may invite', async () => {
  await using server = await startServer();
  await setPermissions(server, 0);
  expect((await server.anonymous.get('/api/v1/instance')).json.invites_enabled).toBe(false);
  await setPermissions(server, 65_536);
  await changeSiteSettings(server.app, 'system', { title: 'Another' });
  expect((await server.anonymous.get('/api/v1/instance')).json.invites_enabled).toBe(true);
});

const invitesPath = '/api/v1/fieldfare/invites';

/** Creates a collection of `owner` with these accounts, which allow it. */
async function collectionOf(owner: TestUser, members: readonly TestUser[]): Promise<string> {
  for (const member of members) await member.patch('/api/v1/accounts/update_credentials', { discoverable: true });
  const body = { name: 'Birders', account_ids: members.map(({ id }) => id) };
  return (await owner.post('/api/v1/collections', body)).json.collection.id;
}

const follows = async (server: TestServer, name: string): Promise<string[]> => {
  const { rows } = await server.pool.query<{ username: string }>(
    `select target.username from follows join accounts source on source.id = follows.account_id
     join accounts target on target.id = follows.target_account_id
     where source.username = $1 order by target.username`,
    [name],
  );
  return rows.map(({ username }) => username);
};

test('users create, list and revoke invites by the API, with the permission and the scope', async () => {
  await using server = await startServer();
  const [alice, bob] = [await server.user('alice'), await server.user('bob')];
  const collection = await collectionOf(alice, [bob]);
  const created = await alice.post(invitesPath, {
    max_uses: 5,
    expires_in: 3_600,
    autofollow: true,
    collection_id: collection,
  });
  expect(created.json).toEqual({
    id: expect.any(String),
    code: expect.any(String),
    url: `https://fieldfare.test/invite/${created.json.code}`,
    max_uses: 5,
    uses: 0,
    expires_at: new Date(server.clock.now().getTime() + 3_600_000).toISOString(),
    autofollow: true,
    collection_id: collection,
    created_at: server.clock.now().toISOString(),
  });
  expect((await alice.get(invitesPath)).json).toEqual([created.json]);
  expect((await bob.get(invitesPath)).json).toEqual([]);
  expect((await alice.post(invitesPath)).json).toMatchObject({
    max_uses: null,
    autofollow: false,
    collection_id: null,
  });
  expect((await alice.post(invitesPath, { max_uses: 7 })).status).toBe(422);
  // A collection of someone else does not exist for this.
  expect((await bob.post(invitesPath, { collection_id: collection })).status).toBe(404);
  expect((await bob.post(invitesPath, { collection_id: '1' })).status).toBe(404);
  const one = `${invitesPath}/${created.json.id}`;
  expect((await bob.delete(one)).status).toBe(404);
  const [reader, writer] = [await server.withScopes(alice, 'read'), await server.withScopes(alice, 'write')];
  expect((await reader.post(invitesPath)).status).toBe(403);
  expect((await reader.delete(one)).status).toBe(403);
  expect((await writer.get(invitesPath)).status).toBe(403);
  expect((await server.anonymous.get(invitesPath)).status).toBe(401);
  expect((await server.anonymous.post(invitesPath)).status).toBe(401);
  expect((await server.anonymous.delete(one)).status).toBe(401);
  expect((await alice.delete(one)).json).toEqual({});
  expect((await alice.delete(one)).status).toBe(404);
  // An invite outlives its collection.
  const second = (await alice.post(invitesPath, { collection_id: collection })).json;
  expect((await alice.delete(`/api/v1/collections/${collection}`)).status).toBe(200);
  expect((await alice.get(invitesPath)).json).toMatchObject([{ id: second.id, collection_id: null }, {}]);
  await setPermissions(server, 0);
  const carol = await server.user('carol');
  for (const refused of [carol.get(invitesPath), carol.post(invitesPath), carol.delete(one)])
    expect((await refused).status).toBe(403);
});

test('people who sign up with an invite follow the user who invited and the collection, if they want to', async () => {
  await using server = await startServer({ settings: { REGISTRATIONS: 'open' } });
  const [alice, bob, carol] = [await server.user('alice'), await server.user('bob'), await server.user('carol')];
  const collection = await collectionOf(alice, [bob, carol]);
  await alice.patch('/api/v1/accounts/update_credentials', { locked: true });
  await bob.post('/api/v1/statuses', { status: 'An owl' });
  await alice.post('/api/v1/statuses', { status: 'Welcome', visibility: 'private' });
  const { code } = (await alice.post(invitesPath, { autofollow: true, collection_id: collection })).json;
  const plain = (await alice.post(invitesPath, { collection_id: collection })).json.code;
  const newcomer = (username: string, inviteCode: string, followsCollection: boolean) =>
    createUser(server.app, {
      username,
      email: `${username}@mail.test`,
      password: 'correct horse',
      agreement: true,
      inviteCode,
      followsCollection,
    });

  const page = (await server.anonymous.get(`/invite/${code}`)).text;
  expect(page).toContain('You will follow this account.');
  expect(page.replaceAll(/<[^>]*>/g, '')).toContain('Also follow 2 accounts of Birders');
  expect((await server.anonymous.get(`/invite/${plain}`)).text).not.toContain('You will follow this account.');
  for (const [name, invite, wants, expected] of [
    ['nadia', code, true, ['alice', 'bob', 'carol']],
    ['nils', code, false, ['alice']],
    ['nora', plain, true, ['bob', 'carol']],
    ['nina', plain, false, []],
  ] as const) {
    await newcomer(name, invite, wants);
    await server.drain();
    // Not before the address is confirmed.
    expect(await follows(server, name)).toEqual([]);
    const link = /\/auth\/confirmation\?\S+/.exec(server.outbox.at(-1)?.text ?? '')?.[0] ?? '';
    expect((await confirmByLink(server.anonymous, link)).status).toBe(200);
    await server.drain();
    expect(await follows(server, name), name).toEqual(expected);
  }
});
