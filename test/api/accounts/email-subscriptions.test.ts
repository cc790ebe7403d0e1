import { expect, test } from 'vitest';
import { workers } from '../../../server/app.ts';
import { deleteAccount, markSuspended } from '../../../server/accounts/lifecycle/index.ts';
import { transaction } from '../../../server/platform/write/transaction.ts';
import { newId, type AccountId } from '../../../server/platform/ids.ts';
import type { MailMessage } from '../../../server/platform/mail.ts';
import { changeSiteSettings } from '../../../server/site/index.ts';
import { createUser } from '../../../server/users/sign-up/index.ts';
import { updateUserSettings } from '../../../server/users/settings/index.ts';
import { Browser } from '../../browser.ts';
import type { TestResponse } from '../../client.ts';
import { postBy } from '../../feeds.ts';
import { forgedToken } from '../../forged-token.ts';
import { confirmByLink } from '../../confirm-by-link.ts';
import { form, startServer, type ServerOptions, type TestServer, type TestUser } from '../../server.ts';

const address = 'reader@mail.test';
const pathOf = ({ id }: TestUser): string => `/api/v1/accounts/${id}/email_subscriptions`;

const permit = (server: TestServer, isOn = true) =>
  changeSiteSettings(server.app, 'system', { emailSubscriptions: isOn });

const takeSubscribers = (server: TestServer, user: TestUser, isOn = true) =>
  transaction(server.app, (tx) => updateUserSettings(tx, user.id, { email_subscriptions: isOn }));

/** A server with an owner, whose role permits e-mail subscriptions, and who takes subscribers. */
async function startWithAuthor(options: ServerOptions = {}): Promise<{ server: TestServer; alice: TestUser }> {
  const server = await startServer(options);
  const alice = await server.user('alice', { role: 'owner' });
  await permit(server);
  await takeSubscribers(server, alice);
  return { server, alice };
}

/** Returns the mails since the last call. */
async function takeMails(server: TestServer): Promise<MailMessage[]> {
  await server.drain();
  return server.outbox.splice(0);
}

const linkIn = (mail: MailMessage | undefined, path: string): string =>
  new RegExp(`https://fieldfare\\.test(${path}\\?token=[\\w-]+)`).exec(mail?.text ?? '')?.[1] ?? '';

/** Subscribes an address and confirms it. Returns the path that ends the subscription. */
async function subscribe(server: TestServer, author: TestUser, email = address): Promise<string> {
  expect((await server.anonymous.post(pathOf(author), { email })).status).toBe(200);
  const [mail] = await takeMails(server);
  const browser = new Browser(server);
  await browser.open(linkIn(mail, '/email_subscriptions/confirmation'));
  await browser.submit('/email_subscriptions/confirmation');
  expect(browser.status).toBe(200);
  return linkIn(mail, '/unsubscribe');
}

/** Returns the mails about posts, once the time has passed in which posts are collected. */
async function takePosts(server: TestServer): Promise<MailMessage[]> {
  await server.drain();
  server.clock.advance(301);
  return takeMails(server);
}

const countRows = async ({ pool }: TestServer): Promise<number> =>
  (await pool.query('select from email_subscriptions')).rowCount ?? 0;

test('an account takes e-mail subscriptions only if the server, the role and the user permit it', async () => {
  await using server = await startServer();
  const [alice, bob] = [await server.user('alice', { role: 'owner' }), await server.user('bob')];
  const request = async (user: TestUser) => {
    const { status, text } = await server.anonymous.post(pathOf(user), { email: address });
    return [status, text];
  };
  const shown = async (user: TestUser) =>
    (await server.anonymous.get(`/api/v1/accounts/${user.id}`)).json.email_subscriptions as boolean | undefined;
  for (const user of [alice, bob]) await takeSubscribers(server, user);
  expect([await request(alice), await shown(alice)]).toEqual([[404, ''], undefined]);
  await permit(server);
  expect([await request(alice), await shown(alice)]).toEqual([[200, '{}'], true]);
  expect([await request(bob), await shown(bob)]).toEqual([[404, ''], false]);
  const unknown = await server.anonymous.post('/api/v1/accounts/1/email_subscriptions', { email: address });
  expect([unknown.status, unknown.json]).toEqual([404, { error: 'Record not found' }]);

  await transaction(server.app, (tx) => markSuspended(tx, server.app, alice.id));
  expect([await request(alice), await shown(alice)]).toEqual([[404, ''], false]);
});

test('an address gets posts only after a click on a button of the page that its confirmation mail links to', async () => {
  const { server, alice } = await startWithAuthor();
  await using _ = server;
  const response = await server.anonymous.post(pathOf(alice), { email: ` ${address.toUpperCase()} ` });
  expect(response.json).toEqual({});
  const [mail, ...others] = await takeMails(server);
  expect(others).toEqual([]);
  expect(mail).toMatchObject({ to: address, subject: 'Confirm your subscription to @alice@fieldfare.test' });
  const link = linkIn(mail, '/email_subscriptions/confirmation');
  const browser = new Browser(server);
  await browser.open(link);
  expect(browser.text).toContain('posts of @alice@fieldfare.test');
  await postBy(alice, 'before');
  expect(await takePosts(server)).toEqual([]);

  await browser.submit('/email_subscriptions/confirmation');
  expect(browser.text).toContain('is confirmed');
  await postBy(alice, 'Hello <world> & all');
  const [posts, ...more] = await takePosts(server);
  expect(more).toEqual([]);
  expect(posts).toMatchObject({ to: address, subject: 'alice: Hello <world> & all', isBulk: true });
  expect(posts?.text).toContain('Hello <world> & all');
  expect(posts?.html).toContain('Hello &lt;world&gt; &amp; all');
  expect(posts?.text).not.toContain('before');
  const unsubscribe = linkIn(posts, '/unsubscribe');
  expect(posts?.headers).toEqual({
    'List-Id': '<alice.fieldfare.test>',
    'List-Unsubscribe': `<https://fieldfare.test${unsubscribe}>`,
    'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
  });
});

test('a subscription ends, and its address is deleted, by one click of a mail program or on a page', async () => {
  const { server, alice } = await startWithAuthor();
  await using _ = server;
  const first = await subscribe(server, alice);
  const oneClick = await server.anonymous.post(first, form('List-Unsubscribe=One-Click'));
  expect([oneClick.status, await countRows(server)]).toEqual([200, 0]);
  expect((await server.anonymous.post(first, form('List-Unsubscribe=One-Click'))).text).toBe(oneClick.text);
  await postBy(alice, 'news');
  expect(await takePosts(server)).toEqual([]);

  const second = await subscribe(server, alice);
  const browser = new Browser(server);
  await browser.open(second);
  expect([browser.status, await countRows(server)]).toEqual([200, 1]);
  await browser.submit('/unsubscribe');
  expect([browser.status, await countRows(server)]).toEqual([200, 0]);
});

test('a forged token neither confirms nor ends a subscription, nor does one for the other purpose', async () => {
  const { server, alice } = await startWithAuthor();
  await using _ = server;
  await server.anonymous.post(pathOf(alice), { email: address });
  const [mail] = await takeMails(server);
  const tokenOf = (path: string): string => linkIn(mail, path).split('token=')[1] ?? '';
  const [confirm, unsubscribe] = [tokenOf('/email_subscriptions/confirmation'), tokenOf('/unsubscribe')];
  expect(confirm.split('-')[0]).toBe(unsubscribe.split('-')[0]);
  for (const token of ['', 'x', '1-x', unsubscribe, forgedToken(confirm), '9'.repeat(19)]) {
    const browser = new Browser(server);
    expect((await browser.open(`/email_subscriptions/confirmation?token=${token}`)) && browser.status).toBe(422);
  }
  for (const token of ['', 'x', confirm]) await server.anonymous.post(`/unsubscribe?token=${token}`);
  const { rows } = await server.pool.query('select confirmed_at from email_subscriptions');
  expect(rows).toEqual([{ confirmed_at: null }]);
});

test('an invalid address is refused, and no response reveals whether an address is subscribed', async () => {
  const { server, alice } = await startWithAuthor();
  await using _ = server;
  for (const [email, error] of [
    ['', 'ERR_BLANK'],
    ['reader', 'ERR_INVALID'],
    ['a@b.test, c@d.test', 'ERR_INVALID'],
    [`${'x'.repeat(320)}@mail.test`, 'ERR_TOO_LONG'],
  ]) {
    const { status, json } = await server.anonymous.post(pathOf(alice), { email });
    expect([status, json.details.email[0].error], email).toEqual([422, error]);
  }
  await subscribe(server, alice);
  server.clock.advance(7_200);
  const request = async (email: string) => {
    let response: TestResponse | undefined;
    const queries = await server.countQueries(async () => {
      response = await server.anonymous.post(pathOf(alice), { email });
    });
    return { status: response?.status, text: response?.text, queries };
  };
  expect(await request(address)).toEqual(await request('other@mail.test'));
  expect((await takeMails(server)).map(({ to }) => to)).toEqual(['other@mail.test']);
});

test('an unconfirmed address gets one mail an hour, and is deleted after seven days', async () => {
  const { server, alice } = await startWithAuthor();
  await using _ = server;
  const request = () => server.anonymous.post(pathOf(alice), { email: address });
  await request();
  await request();
  expect(await takeMails(server)).toHaveLength(1);
  server.clock.advance(3_601);
  await request();
  expect(await takeMails(server)).toHaveLength(1);
  server.clock.advance(6 * 86_400);
  await server.runSchedule('email_subscription.clean_up_unconfirmed');
  expect(await countRows(server)).toBe(1);
  await subscribe(server, alice, 'other@mail.test');
  server.clock.advance(8 * 86_400);
  await server.runSchedule('email_subscription.clean_up_unconfirmed');
  const { rows } = await server.pool.query('select email from email_subscriptions');
  expect(rows).toEqual([{ email: 'other@mail.test' }]);
});

test('requests are limited by client, and by address from all clients and to all accounts', async () => {
  const { server, alice } = await startWithAuthor({ settings: { RATE_LIMITS: 'on', TRUSTED_PROXIES: '127.0.0.1' } });
  await using _ = server;
  const statusOf = async (ip: string, email: string) =>
    (await server.anonymous.post(pathOf(alice), { email }, { headers: { 'x-forwarded-for': ip } })).status;
  for (let index = 0; index < 3; index += 1) expect(await statusOf(`192.0.2.${index}`, address)).toBe(200);
  expect(await statusOf('192.0.2.9', address.toUpperCase())).toBe(429);
  expect(await takeMails(server)).toHaveLength(1);
  for (let index = 0; index < 5; index += 1) expect(await statusOf('198.51.100.1', `a${index}@mail.test`)).toBe(200);
  expect(await statusOf('198.51.100.1', 'b@mail.test')).toBe(429);
});

test('only public posts and replies to oneself are mailed, together, unless they are gone by then', async () => {
  const { server, alice } = await startWithAuthor();
  await using _ = server;
  const bob = await server.user('bob');
  await subscribe(server, alice);
  for (const visibility of ['unlisted', 'private', 'direct']) await postBy(alice, { status: visibility, visibility });
  const foreign = await postBy(bob, 'by bob');
  await postBy(alice, { status: '@bob a reply', in_reply_to_id: foreign });
  await alice.post(`/api/v1/statuses/${foreign}/reblog`);
  expect(await takePosts(server)).toEqual([]);

  const first = await postBy(alice, 'one');
  await postBy(alice, { status: 'two', in_reply_to_id: first });
  await postBy(alice, { status: 'how the story ends', spoiler_text: 'spoiler' });
  const deleted = await postBy(alice, 'a mistake');
  await alice.delete(`/api/v1/statuses/${deleted}`);
  const [mail, ...others] = await takePosts(server);
  expect(others).toEqual([]);
  expect(mail?.subject).toBe('3 new posts by alice');
  expect(mail?.text).toMatch(/one[^]*two[^]*Content warning: spoiler/);
  expect(mail?.text).not.toMatch(/mistake|story|by bob|unlisted|private|direct/);
});

test('nothing is mailed once the user, the role or the server no longer permits it', async () => {
  const { server, alice } = await startWithAuthor();
  await using _ = server;
  await subscribe(server, alice);
  for (const [stop, resume] of [
    [() => takeSubscribers(server, alice, false), () => takeSubscribers(server, alice)],
    [() => permit(server, false), () => permit(server)],
  ] as const) {
    await postBy(alice, 'queued before');
    await stop();
    await postBy(alice, 'posted after');
    expect(await takePosts(server)).toEqual([]);
    await resume();
    await postBy(alice, 'again');
    expect((await takePosts(server)).map(({ subject }) => subject)).toEqual(['alice: again']);
  }
});

test('each of many subscribers gets one mail, though a job runs twice', async () => {
  const { server, alice } = await startWithAuthor();
  await using _ = server;
  const now = server.clock.now();
  const subscriptions = Array.from({ length: 250 }, (_unused, index) => ({
    id: newId<'email-subscription'>(now),
    account_id: alice.id,
    email: `reader${index}@mail.test`,
    locale: 'en' as const,
    confirmation_sent_at: now,
    confirmed_at: now,
    failing_since: null,
    created_at: now,
  }));
  await server.db.insertInto('email_subscriptions').values(subscriptions).execute();
  await postBy(alice, 'news');
  server.clock.advance(301);
  await server.pool.query(`
    create function repeat_job() returns trigger language plpgsql as $$
    begin
      if old.name in ('email_subscription.queue_mails', 'email_subscription.start_digest') and old.key is null then
        insert into jobs (queue, name, data, key, run_at) values (old.queue, old.name, old.data, 'repeated', old.run_at);
      end if;
      return old;
    end $$;
    create trigger repeat_job before delete on jobs for each row execute function repeat_job()`);
  const recipients = (await takeMails(server)).map(({ to }) => to);
  expect(recipients.toSorted()).toEqual(subscriptions.map(({ email }) => email).toSorted());
  expect((await server.pool.query('select from email_digests')).rowCount).toBe(0);
});

test('a slow mail server that newsletters wait for does not delay other mail', async () => {
  const { server, alice } = await startWithAuthor();
  await using _ = server;
  for (const name of ['a', 'b', 'c']) await subscribe(server, alice, `${name}@mail.test`);
  const { promise, resolve } = Promise.withResolvers<void>();
  const newsletters = Promise.withResolvers<void>();
  const sent: string[] = [];
  Object.assign(server.app.mail, {
    async send({ to, isBulk }: MailMessage) {
      if (isBulk === true) {
        newsletters.resolve();
        await promise;
      }
      sent.push(to);
    },
  });
  await postBy(alice, 'news');
  await server.drain();
  server.clock.advance(301);
  const draining = server.drain();
  await newsletters.promise;
  await server.anonymous.post(pathOf(alice), { email: 'urgent@mail.test' });
  const mailWorker = workers.find(({ name }) => name === 'jobs:mail');
  await expect.poll(() => mailWorker?.run(server.app).then(() => sent)).toEqual(['urgent@mail.test']);
  resolve();
  await draining;
  await server.drain();
  expect(sent.toSorted()).toEqual(['a@mail.test', 'b@mail.test', 'c@mail.test', 'urgent@mail.test']);
});

test('a rejected address is deleted: at once before it is confirmed, later after a week of rejections', async () => {
  const { server, alice } = await startWithAuthor();
  await using _ = server;
  await subscribe(server, alice);
  const send = server.app.mail.send.bind(server.app.mail);
  const setRejecting = (isRejecting: boolean) =>
    Object.assign(server.app.mail, {
      send: isRejecting
        ? () => Promise.reject(Object.assign(new Error('no such user'), { command: 'RCPT TO', responseCode: 550 }))
        : send,
    });
  const postDaily = async (days: number): Promise<number> => {
    for (let day = 0; day < days; day += 1) {
      await postBy(alice, 'news');
      await takePosts(server);
      server.clock.advance(86_400);
    }
    return countRows(server);
  };
  setRejecting(true);
  await server.anonymous.post(pathOf(alice), { email: 'none@mail.test' });
  await server.drain();
  expect(await countRows(server)).toBe(1);
  expect(await postDaily(5)).toBe(1);
  setRejecting(false);
  expect(await postDaily(1)).toBe(1);
  setRejecting(true);
  expect(await postDaily(7)).toBe(1);
  expect(await postDaily(1)).toBe(0);
});

test('an author turns subscriptions on and off on a page that shows their number, not the addresses', async () => {
  const server = await startServer();
  await using _ = server;
  const alice = await server.user('alice', { role: 'owner' });
  await server.user('bob');
  const browser = new Browser(server);
  await browser.signIn('alice');
  const page = '/settings/email_subscriptions';
  await browser.open(page);
  expect(browser.text).toContain('have not permitted');
  await permit(server);
  await browser.open('/auth/edit');
  expect(browser.text).toContain(page);
  await browser.open(page);
  await browser.submit(page);
  expect((await server.anonymous.get(`/api/v1/accounts/${alice.id}`)).json.email_subscriptions).toBe(true);
  await subscribe(server, alice);
  await browser.open(page);
  expect(browser.text).toContain('1 subscriber<');
  expect(browser.text).not.toContain(address);
  await browser.submit(page);
  expect((await server.anonymous.post(pathOf(alice), { email: address })).status).toBe(404);

  const other = new Browser(server);
  await other.signIn('bob');
  await other.open(page);
  const { authenticity_token } = other.hiddenFields('/auth/sign_out');
  const cookie = [...other.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  const refused = await server.anonymous.post(page, { authenticity_token, enabled: true }, { headers: { cookie } });
  expect(refused.status).toBe(403);
});

test('visitors subscribe on a page that the profile links to, in their language', async () => {
  const { server, alice } = await startWithAuthor();
  await using _ = server;
  const browser = new Browser(server);
  await browser.open('/@alice');
  expect(browser.text).toContain('href="/email_subscriptions/new?acct=alice"');
  await browser.open('/email_subscriptions/new?acct=alice');
  await browser.submit('/email_subscriptions', { email: 'reader' });
  expect([browser.status, browser.text.includes('is not a valid e-mail address')]).toEqual([422, true]);
  await browser.submit('/email_subscriptions', { email: address });
  expect([browser.status, browser.text.includes('Check your mail')]).toEqual([200, true]);
  expect((await takeMails(server)).map(({ to }) => to)).toEqual([address]);

  const headers = { 'accept-language': 'de-AT,en;q=0.5' };
  await server.anonymous.post(pathOf(alice), { email: 'leser@mail.test' }, { headers });
  const [mail] = await takeMails(server);
  expect([mail?.subject, mail?.html?.includes('<html lang="de" dir="ltr"')]).toEqual([
    'Bestätige dein Abonnement von @alice@fieldfare.test',
    true,
  ]);
  await takeSubscribers(server, alice, false);
  expect((await browser.open('/email_subscriptions/new?acct=alice')) && browser.status).toBe(404);
});

test('with limited federation there are no newsletters: nobody subscribes, and subscribers get no mail', async () => {
  const { server, alice } = await startWithAuthor({ settings: { LIMITED_FEDERATION: 'on' } });
  await using _ = server;
  expect((await server.anonymous.post(pathOf(alice), { email: address })).status).toBe(401);
  expect((await alice.post(pathOf(alice), { email: address })).status).toBe(404);
  expect((await alice.get(`/api/v1/accounts/${alice.id}`)).json).not.toHaveProperty('email_subscriptions');
  const page = '/email_subscriptions/new?acct=alice';
  const visitor = new Browser(server);
  await visitor.open(page);
  expect(visitor.status).toBe(404);
  await visitor.open('/auth/sign_in');
  const fields = { ...visitor.hiddenFields('/auth/sign_in'), acct: 'alice', email: address };
  expect((await visitor.send('/email_subscriptions', fields)).status).toBe(404);
  expect(await takeMails(server)).toEqual([]);
  const browser = new Browser(server);
  await browser.signIn('alice');
  await browser.open(page);
  expect(browser.status).toBe(404);
  await browser.open('/settings/email_subscriptions');
  expect(browser.text).toContain('have not permitted it');
  // An address was subscribed before the server was closed.
  await server.db
    .insertInto('email_subscriptions')
    .values({
      id: '1' as never,
      account_id: alice.id,
      email: address,
      locale: 'en',
      confirmed_at: server.clock.now(),
      created_at: server.clock.now(),
    })
    .execute();
  await postBy(alice, 'inside');
  expect(await takePosts(server)).toEqual([]);
  expect(await server.db.selectFrom('email_digest_posts').select('status_id').execute()).toEqual([]);
});

test('a user who signs up with a subscribed address follows the account instead', async () => {
  const { server, alice } = await startWithAuthor();
  await using _ = server;
  await subscribe(server, alice);
  await server.anonymous.post(pathOf(alice), { email: 'unconfirmed@mail.test' });
  await takeMails(server);
  const sign = (username: string, email: string) =>
    createUser(server.app, { username, email, password: 'correct horse battery', confirmed: false, approved: true });
  await sign('reader', address);
  const [mail] = await takeMails(server);
  await server.drain();
  expect((await alice.get(`/api/v1/accounts/${alice.id}/followers`)).json).toEqual([]);
  await confirmByLink(server.anonymous, /https:\/\/fieldfare\.test(\/\S+)/.exec(mail?.text ?? '')?.[1] ?? '');
  await server.drain();
  const followers = (await alice.get(`/api/v1/accounts/${alice.id}/followers`)).json as { username: string }[];
  expect(followers.map(({ username }) => username)).toEqual(['reader']);
  expect(await countRows(server)).toBe(1);
});

test('a subscription ends if its account blocks the new one, and stays if the new one may not follow more', async () => {
  const { server, alice } = await startWithAuthor();
  await using _ = server;
  const signUp = async (username: string, prepare: (id: AccountId) => Promise<unknown>) => {
    await subscribe(server, alice);
    const { accountId } = await createUser(server.app, {
      username,
      email: address,
      password: 'correct horse battery',
      approved: true,
    });
    const [mail] = await takeMails(server);
    await prepare(accountId);
    await confirmByLink(server.anonymous, /https:\/\/fieldfare\.test(\/\S+)/.exec(mail?.text ?? '')?.[1] ?? '');
    await server.drain();
    await deleteAccount(server.app, accountId);
    await server.drain();
    return countRows(server);
  };
  // As an account that blocked this one before its sign-up was complete.
  const block = (id: AccountId) =>
    server.db
      .insertInto('blocks')
      .values({ id: '1' as never, account_id: alice.id, target_account_id: id, created_at: server.clock.now() })
      .execute();
  const reachLimit = (id: AccountId) =>
    server.pool.query(
      `insert into account_stats (account_id, following_count) values ($1, 7500)
       on conflict (account_id) do update set following_count = 7500`,
      [id],
    );
  expect(await signUp('blocked', block)).toBe(0);
  expect(await signUp('eager', reachLimit)).toBe(1);
});
