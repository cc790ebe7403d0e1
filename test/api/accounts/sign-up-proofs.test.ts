import { expect, test } from 'vitest';
import { createHttp } from '../../../server/app.ts';
import { receiveEvents } from '../../../server/platform/write/publish.ts';
import { changeSiteSettings, type SiteSettings } from '../../../server/site/index.ts';
import type { SignUpChallenge } from '../../../server/users/proof-of-work/index.ts';
import { createInvite } from '../../../server/users/invites/index.ts';
import { Browser, unescapeHtml } from '../../browser.ts';
import { confirmByLink } from '../../confirm-by-link.ts';
import { signUp as signUpByProvider, start as startWithProvider } from '../../provider-scene.ts';
import { Client, startServer, type ServerOptions, type TestServer } from '../../server.ts';
import { solveSignUpChallenge } from '../../solve-challenge.ts';

const challengePath = '/api/v1/fieldfare/sign_up_challenge';
const password = 'correct horse battery';

const ask = ({ app }: TestServer, signUpProofOfWork: SiteSettings['signUpProofOfWork'] = 'easy') =>
  changeSiteSettings(app, 'system', { signUpProofOfWork });

/** Starts a server with open registrations that asks for a proof of work. */
async function startAsking(options: ServerOptions = {}): Promise<TestServer> {
  const server = await startServer({ ...options, settings: { REGISTRATIONS: 'open', ...options.settings } });
  await ask(server);
  return server;
}

async function prove(server: TestServer): Promise<string> {
  const { status, json } = await server.anonymous.get(challengePath);
  expect(status).toBe(200);
  return solveSignUpChallenge(json as SignUpChallenge);
}

const fieldsOf = (username: string) => ({ username, email: `${username}@mail.test`, password, agreement: true });

const signUp = async (server: TestServer, username: string, more: object = {}) =>
  (await server.appToken()).post('/api/v1/accounts', { ...fieldsOf(username), ...more });

const userOf = ({ db }: TestServer, username: string) =>
  db
    .selectFrom('users')
    .innerJoin('accounts', 'accounts.id', 'users.account_id')
    .select(['users.approved', 'users.lacks_proof_of_work as lacks', 'accounts.id'])
    .where('accounts.username', '=', username)
    .executeTakeFirst();

const usedChallenges = async ({ db }: TestServer): Promise<number> =>
  (await db.selectFrom('used_passkey_challenges').select('expires_at').execute()).length;

test('REG-01: without the setting, a sign-up needs no proof, and one that is sent is ignored', async () => {
  await using server = await startServer({ settings: { REGISTRATIONS: 'open' } });
  expect((await server.anonymous.get(challengePath)).status).toBe(404);
  const { json: instance } = await server.anonymous.get('/api/v2/instance');
  expect(instance.registrations).toMatchObject({ approval_required: false, fieldfare: { challenge_url: null } });
  const browser = new Browser(server);
  await browser.open('/auth/sign_up');
  expect(browser.text).not.toMatch(/proof_of_work|data-challenge|<script/);
  expect((await signUp(server, 'alice', { proof_of_work: 'nonsense' })).status).toBe(200);
  expect(await userOf(server, 'alice')).toMatchObject({ approved: true, lacks: false });
});

test('REG-01: an app that solves the challenge of the instance signs up without approval', async () => {
  await using server = await startAsking();
  const { json: instance } = await server.anonymous.get('/api/v2/instance');
  expect(instance.registrations).toMatchObject({
    enabled: true,
    approval_required: true,
    reason_required: false,
    fieldfare: { challenge_url: `https://fieldfare.test${challengePath}` },
  });
  expect((await server.anonymous.get('/api/v1/instance')).json).toMatchObject({ approval_required: true });
  expect((await signUp(server, 'alice', { proof_of_work: await prove(server) })).status).toBe(200);
  expect(await userOf(server, 'alice')).toMatchObject({ approved: true, lacks: false });
  expect(await usedChallenges(server)).toBe(1);
  server.clock.advance(7_200);
  await server.runSchedule('user.clean_up_sign_ins');
  expect(await usedChallenges(server)).toBe(0);
});

test('REG-01: the challenge is open to everyone in limited federation', async () => {
  await using server = await startAsking({ settings: { LIMITED_FEDERATION: 'on' } });
  expect((await server.anonymous.get(challengePath)).status).toBe(200);
});

test('REG-01: a sign-up without a proof waits for approval, and staff see why', async () => {
  await using server = await startAsking();
  const staff = await server.user('merle', { role: 'admin', scopes: 'read admin:read admin:write' });
  const { status, json: token } = await signUp(server, 'alice', { proof_of_work: '' });
  expect([status, token.token_type]).toEqual([200, 'Bearer']);
  await server.drain();
  const link = /https:\/\/fieldfare\.test(\/\S+confirmation\S+)/.exec(server.outbox.at(-1)?.text ?? '')?.[1] ?? '';
  await confirmByLink(server.anonymous, link);
  const alice = new Client(server.http, token.access_token as string);
  const waiting = await alice.get('/api/v1/accounts/verify_credentials');
  expect([waiting.status, waiting.json.error]).toEqual([403, 'Your login is currently pending approval']);
  await server.drain();
  expect(server.outbox.find(({ to }) => to === 'merle@mail.test')?.text).toContain('without the proof of work');

  const { json: pending } = await staff.get('/api/v2/admin/accounts?status=pending');
  expect(pending).toMatchObject([{ username: 'alice', approved: false, lacks_proof_of_work: true }]);
  await staff.post(`/api/v1/admin/accounts/${pending[0].id as string}/approve`);
  expect((await alice.get('/api/v1/accounts/verify_credentials')).status).toBe(200);
  await signUp(server, 'bob', { proof_of_work: await prove(server) });
  const { json: found } = await staff.get('/api/v2/admin/accounts?username=bob');
  expect(found[0]).not.toHaveProperty('lacks_proof_of_work');
  await server.drain();
});

test('REG-01: a wrong, expired or used proof is 422 with the name of the field', async () => {
  await using server = await startAsking();
  const refuse = async (proof: string) => {
    const { status, json } = await signUp(server, 'carol', { proof_of_work: proof });
    expect(status).toBe(422);
    return [json.error, json.details.proof_of_work[0].error];
  };
  expect(await refuse('nonsense')).toEqual(['Validation failed: Proof of work is invalid', 'ERR_INVALID']);
  const proof = await prove(server);
  server.clock.advance(7_200);
  const expired = ['Validation failed: Proof of work has expired. Get a new challenge', 'ERR_INVALID'];
  expect(await refuse(proof)).toEqual(expired);

  const easy = await prove(server);
  await ask(server, 'medium');
  expect(await refuse(easy)).toEqual(expired);
  await ask(server);
  expect((await signUp(server, 'alice', { proof_of_work: easy })).status).toBe(200);
  expect(await refuse(easy)).toEqual(['Validation failed: Proof of work was used already', 'ERR_TAKEN']);
  expect(await userOf(server, 'carol')).toBeUndefined();

  await using other = await startAsking();
  expect(await refuse(await prove(other))).toEqual(['Validation failed: Proof of work is invalid', 'ERR_INVALID']);
  await server.drain();
});

test('REG-01: a proof is used up by the sign-up only, so that one that fails for another reason can be sent again', async () => {
  await using server = await startAsking();
  await server.user('bob');
  const proof = await prove(server);
  const taken = await signUp(server, 'bob', { email: 'other@mail.test', proof_of_work: proof });
  expect(Object.keys(taken.json.details as object)).toEqual(['username']);
  // Fails in the transaction, after the proof was recorded.
  const raced = await Promise.all([
    signUp(server, 'alice', { proof_of_work: proof }),
    signUp(server, 'ALICE', { email: 'second@mail.test', proof_of_work: await prove(server) }),
  ]);
  expect(raced.map(({ status }) => status).toSorted()).toEqual([200, 422]);
  expect(await usedChallenges(server)).toBe(1);
  await server.drain();
});

test('REG-01: of two processes that get the same proof, one accepts it', async () => {
  await using server = await startAsking();
  const other = { ...server.app };
  receiveEvents(other);
  const http = createHttp(other);
  const token = await server.token(null, 'read write');
  const proof = await prove(server);
  const both = await Promise.all(
    [server.http, http].map((at, index) =>
      new Client(at, token).post('/api/v1/accounts', { ...fieldsOf(`robot${index}`), proof_of_work: proof }),
    ),
  );
  await http.close();
  expect(both.map(({ status }) => status).toSorted()).toEqual([200, 422]);
  expect(await server.db.selectFrom('users').select('id').execute()).toHaveLength(1);
});

test('REG-01: people with an invite or an account at a provider need no proof', async () => {
  await using scene = await startWithProvider();
  const { server } = scene;
  await ask(server);
  await server.user('henry');
  const invite_code = await createInvite(server.app, 'system', { username: 'henry' });
  expect((await signUp(server, 'guest', { invite_code })).status).toBe(200);
  expect(await userOf(server, 'guest')).toMatchObject({ approved: true, lacks: false });
  const browser = new Browser(server);
  await browser.open(`/invite/${invite_code}`);
  expect(browser.text).not.toContain('data-challenge');
  await signUpByProvider(scene);
  expect(await userOf(server, 'alice')).toMatchObject({ approved: true, lacks: false });
  // One that is not usable counts as none.
  await signUp(server, 'late', { invite_code: 'unknown1' });
  expect(await userOf(server, 'late')).toMatchObject({ approved: false, lacks: true });
  await server.drain();
});

test('REG-01: the form has the challenge and the script that solves it, and keeps a proof until it is used', async () => {
  await using server = await startAsking();
  await server.user('bob');
  const browser = new Browser(server);
  await browser.open('/auth/sign_up');
  const { headers } = browser.response ?? {};
  expect(String(headers?.['content-security-policy'])).toContain(
    "default-src 'none'; script-src https://fieldfare.test/assets/proof-of-work.js;",
  );
  expect(browser.text).toMatch(/<script src="\/assets\/proof-of-work\.js\?v=[\w-]+" type="module">/);
  const script = await server.anonymous.get('/assets/proof-of-work.js');
  expect([script.status, script.headers['content-type']]).toEqual([200, 'text/javascript; charset=utf-8']);
  expect(script.text).not.toContain('import ');
  expect(browser.text).toMatch(/<noscript>[^]*Without JavaScript[^]*Why would you like to join\?[^]*<\/noscript>/);

  const challengeOf = (page: string): SignUpChallenge | undefined => {
    const found = /data-challenge="([^"]*)"/.exec(page)?.[1];
    return found === undefined ? undefined : (JSON.parse(unescapeHtml(found)) as SignUpChallenge);
  };
  const submit = (fields: object) =>
    browser.submit('/auth/sign_up', {
      username: 'alice',
      email: 'alice@mail.test',
      password,
      agreement: '1',
      ...fields,
    });
  const solve = async (): Promise<string> => {
    const challenge = challengeOf(browser.text);
    if (challenge === undefined) throw new Error(`the page has no challenge:\n${browser.text}`);
    return solveSignUpChallenge(challenge);
  };
  server.clock.advance(5);
  const proof_of_work = await solve();
  await submit({ username: 'bob', proof_of_work });
  expect([browser.status, challengeOf(browser.text)]).toEqual([422, undefined]);
  expect(browser.hiddenFields('/auth/sign_up')).toMatchObject({ proof_of_work });

  server.clock.advance(7_200);
  await submit({});
  expect([browser.status, browser.hiddenFields('/auth/sign_up')['proof_of_work']]).toEqual([422, '']);
  expect(browser.text).toContain('The check against automatic sign-ups has expired and runs again.');
  await submit({ proof_of_work: await solve() });
  expect(browser.path).toMatch(/^\/auth\/setup/);
  expect(await userOf(server, 'alice')).toMatchObject({ approved: true, lacks: false });
});

test('REG-01: a browser without scripts sends the form without a proof, with a reason if it likes, and waits', async () => {
  await using server = await startAsking();
  const browser = new Browser(server);
  await browser.open('/auth/sign_up');
  server.clock.advance(5);
  const fields = { username: 'alice', email: 'alice@mail.test', password, agreement: '1', reason: 'Birds' };
  await browser.submit('/auth/sign_up', fields);
  expect(browser.path).toMatch(/^\/auth\/setup/);
  expect(await userOf(server, 'alice')).toMatchObject({ approved: false, lacks: true });
  const { sign_up_reason } = await server.db.selectFrom('users').select('sign_up_reason').executeTakeFirstOrThrow();
  expect(sign_up_reason).toBe('Birds');
});

test('ADM-06: staff choose how much work is asked for, and a wrong value is refused in one sentence', async () => {
  await using server = await startServer({ settings: { REGISTRATIONS: 'approval' } });
  const staff = await server.user('merle', { role: 'admin', scopes: 'admin:read admin:write' });
  const settings = '/api/v1/fieldfare/admin/settings';
  const refused = await staff.patch(settings, { sign_up_proof_of_work: 'brutal' });
  expect([refused.status, refused.json.error]).toEqual([
    422,
    'Validation failed: sign_up_proof_of_work must be one of off, easy, medium, hard',
  ]);
  expect((await staff.patch(settings, { sign_up_proof_of_work: 'hard' })).status).toBe(200);
  const { json } = await server.anonymous.get(challengePath);
  expect(json.parameters.data.maxCounter).toBe(16_000);
  // Staff approve each sign-up anyway, and see which ones have no proof.
  await signUp(server, 'alice', { reason: 'Birds' });
  expect(await userOf(server, 'alice')).toMatchObject({ approved: false, lacks: true });
});
