import sharp from 'sharp';
import { expect, test } from 'vitest';
import { takeStatusAction } from '../../server/moderation/statuses/index.ts';
import type { ReportId } from '../../server/reports/index.ts';
import { Browser } from '../browser.ts';
import { multipart, startServer, type TestServer, type TestUser } from '../server.ts';

const strikes = '/api/v1/fieldfare/strikes';
const appeals = '/api/v1/fieldfare/admin/appeals';
const at = (id: string) => `/api/v1/fieldfare/admin/reports/${id}/status_action`;

async function scene() {
  const server = await startServer();
  const staff = await server.user('merle', { role: 'admin', scopes: 'admin:read admin:write' });
  return { server, staff, alice: await server.user('alice'), bob: await server.user('bob') };
}

async function postImage(user: TestUser, status: string, more: object = {}): Promise<string> {
  const body = await sharp({ create: { width: 6, height: 4, channels: 3, background: '#345678' } })
    .png()
    .toBuffer();
  const file = new File([Uint8Array.from(body)], 'image.png', { type: 'image/png' });
  const { id } = (await user.post('/api/v2/media', await multipart({ file }))).json;
  return (await user.post('/api/v1/statuses', { status, media_ids: [id], ...more })).json.id;
}

const postText = async (user: TestUser, status: string): Promise<string> =>
  (await user.post('/api/v1/statuses', { status })).json.id;

async function report(from: TestUser, about: TestUser, statusIds: readonly string[]): Promise<string> {
  const { status, text, json } = await from.post('/api/v1/reports', { account_id: about.id, status_ids: statusIds });
  expect(status, text).toBe(200);
  return json.id;
}

const isSensitive = async (user: TestUser, id: string): Promise<boolean> =>
  (await user.get(`/api/v1/statuses/${id}`)).json.sensitive;

/** Returns the mails to a user since the last call. */
async function takeMails(server: TestServer, { username }: TestUser) {
  await server.drain();
  return server.outbox.splice(0).filter(({ to }) => to === `${username}@mail.test`);
}

async function appeal(staff: TestUser, user: TestUser, strikeId: string, verdict: 'approve' | 'reject') {
  expect((await user.post(`${strikes}/${strikeId}/appeal`, { text: 'It was art' })).status).toBe(200);
  const [{ id }] = (await staff.get(appeals)).json;
  expect((await staff.post(`${appeals}/${id}/${verdict}`)).status).toBe(200);
}

const lastEntry = ({ db }: TestServer) =>
  db.selectFrom('audit_log').selectAll().orderBy('id', 'desc').limit(1).executeTakeFirstOrThrow();

test('ADM-02: staff delete reported posts: a strike, a mail that quotes them, a resolved report and the evidence', async () => {
  const { server, staff, alice, bob } = await scene();
  await using _ = server;
  const [first, second, other] = [
    await postText(bob, 'Buy my <watches>'),
    await postImage(bob, ''),
    await postText(bob, 'Good morning'),
  ];
  await alice.post(`/api/v1/statuses/${first}/reblog`);
  const id = await report(alice, bob, [first, second]);
  await takeMails(server, bob);
  const { status, json } = await staff.post(at(id), { type: 'delete_statuses', text: 'No adverts' });
  expect(status).toBe(200);
  expect(json).toMatchObject({ id, action_taken: true, action_taken_by_account: { id: staff.id } });
  for (const each of [first, second]) expect((await bob.get(`/api/v1/statuses/${each}`)).status).toBe(404);
  expect((await bob.get(`/api/v1/statuses/${other}`)).status).toBe(200);
  expect((await staff.get(`/api/v1/fieldfare/admin/reports/${id}/statuses`)).json).toMatchObject([
    { id: first, deleted: true, content: '<p>Buy my &lt;watches&gt;</p>' },
    { id: second, deleted: true },
  ]);
  const [strike, ...more] = (await bob.get(strikes)).json;
  expect(more).toEqual([]);
  expect(strike).toMatchObject({ action: 'delete_statuses', text: 'No adverts', status_ids: [first, second] });
  const [mail, ...others] = await takeMails(server, bob);
  expect(others).toEqual([]);
  expect(mail?.subject).toContain('were deleted');
  for (const text of ['No adverts', '“Buy my <watches>”', '(a post without text)', '/settings/strikes']) {
    expect(mail?.text).toContain(text);
  }
  expect(mail?.text).not.toContain('Good morning');
  expect((await bob.get('/api/v1/notifications?types[]=moderation_warning')).json).toMatchObject([
    { moderation_warning: { id: strike.id, action: 'delete_statuses' } },
  ]);
  expect((await bob.get(`/api/v1/accounts/${bob.id}`)).json.statuses_count).toBe(1);
  expect(await lastEntry(server)).toMatchObject({
    action: 'account.delete_statuses',
    target_id: bob.id,
    after: { strike: strike.id, statuses: [first, second], text: 'No adverts', resolved_reports: [id] },
  });
  // The same again changes nothing, not even after the report was reopened.
  const again = { type: 'delete_statuses', reportId: id as ReportId } as const;
  expect(await takeStatusAction(server.app, staff.id, again)).toBe(false);
  await staff.post(`/api/v1/admin/reports/${id}/reopen`);
  expect((await staff.post(at(id), { type: 'delete_statuses' })).json.action_taken).toBe(true);
  expect((await bob.get(strikes)).json).toHaveLength(1);
});

test('ADM-02: an approved appeal against deleted posts ends the strike; the posts and the evidence stay as they are', async () => {
  const { server, staff, alice, bob } = await scene();
  await using _ = server;
  const post = await postText(bob, 'Art');
  const id = await report(alice, bob, [post]);
  await staff.post(at(id), { type: 'delete_statuses' });
  const browser = new Browser(server);
  await browser.open('/settings/strikes');
  await browser.signIn('bob');
  await browser.open('/settings/strikes');
  expect(browser.text).toContain('Posts of yours were deleted');
  const [strike] = (await bob.get(strikes)).json;
  await browser.submit(`/settings/strikes/${strike.id}/appeal`, { text: 'It was art' });
  await takeMails(server, bob);
  const [{ id: appealId }] = (await staff.get(appeals)).json;
  await staff.post(`${appeals}/${appealId}/approve`);
  expect((await bob.get(`/api/v1/statuses/${post}`)).status).toBe(404);
  expect((await staff.get(`/api/v1/fieldfare/admin/reports/${id}/statuses`)).json).toMatchObject([{ deleted: true }]);
  const [mail] = await takeMails(server, bob);
  expect(mail?.text).toContain('cannot be restored');
  await browser.open('/settings/strikes');
  expect(browser.text).toContain('Deleted posts cannot be restored');
  const lifted = await server.db.selectFrom('account_warnings').select('lifted_at').executeTakeFirstOrThrow();
  expect(lifted.lifted_at).toEqual(server.clock.now());
});

test('ADM-02: staff mark reported posts with media as sensitive, which is an edit, and an approved appeal undoes exactly that', async () => {
  const { server, staff, alice, bob } = await scene();
  await using _ = server;
  const [plain, image, marked] = [
    await postText(bob, 'Only words'),
    await postImage(bob, 'Look'),
    await postImage(bob, 'Careful', { sensitive: true }),
  ];
  const id = await report(alice, bob, [plain, image, marked]);
  await takeMails(server, bob);
  server.clock.advance(60);
  const { json } = await staff.post(at(id), { type: 'mark_statuses_as_sensitive' });
  expect(json.action_taken).toBe(true);
  const sensitive = async () => [
    await isSensitive(alice, plain),
    await isSensitive(alice, image),
    await isSensitive(alice, marked),
  ];
  expect(await sensitive()).toEqual([false, true, true]);
  const history = (await alice.get(`/api/v1/statuses/${image}/history`)).json as { sensitive: boolean }[];
  expect(history.map((version) => version.sensitive)).toEqual([false, true]);
  expect((await alice.get(`/api/v1/statuses/${image}`)).json.edited_at).toBe(server.clock.now().toISOString());
  const [mail] = await takeMails(server, bob);
  expect(mail?.text).toContain('“Only words”');
  const [strike] = (await bob.get(strikes)).json;
  expect(strike).toMatchObject({ action: 'mark_statuses_as_sensitive', status_ids: [plain, image, marked] });
  expect(await lastEntry(server)).toMatchObject({ after: { statuses: [image] } });

  await appeal(staff, bob, strike.id, 'approve');
  expect(await sensitive()).toEqual([false, false, true]);
  expect(await lastEntry(server)).toMatchObject({ action: 'appeal.approve', after: { statuses: [image] } });
});

test('ADM-02: a post stays sensitive while another decision is about it, or it has a content warning', async () => {
  const { server, staff, alice, bob } = await scene();
  await using _ = server;
  const [first, second] = [await postImage(bob, 'One'), await postImage(bob, 'Two')];
  for (const ids of [[first, second], [first]]) {
    const id = await report(alice, bob, ids);
    await staff.post(at(id), { type: 'mark_statuses_as_sensitive', send_email_notification: false });
  }
  const [later, earlier] = (await bob.get(strikes)).json;
  expect(await takeMails(server, bob)).toEqual([]);
  await bob.put(`/api/v1/statuses/${second}`, { status: 'Two', spoiler_text: 'Nude', media_ids: [] });
  await appeal(staff, bob, earlier.id, 'approve');
  expect([await isSensitive(alice, first), await isSensitive(alice, second)]).toEqual([true, true]);
  await appeal(staff, bob, later.id, 'approve');
  expect(await isSensitive(alice, first)).toBe(false);
});

test('ADM-02: a rejected appeal leaves the marks', async () => {
  const { server, staff, alice, bob } = await scene();
  await using _ = server;
  const post = await postImage(bob, 'Look');
  await staff.post(at(await report(alice, bob, [post])), { type: 'mark_statuses_as_sensitive' });
  const [strike] = (await bob.get(strikes)).json;
  await appeal(staff, bob, strike.id, 'reject');
  expect(await isSensitive(alice, post)).toBe(true);
});

test('ADM-02: an action on some posts of a report leaves the others; unknown ones and invalid input are refused', async () => {
  const { server, staff, alice, bob } = await scene();
  await using _ = server;
  const [first, second, other] = [await postText(bob, 'One'), await postText(bob, 'Two'), await postText(bob, 'Three')];
  const id = await report(alice, bob, [first, second]);
  const send = async (body: object, path = at(id)) => {
    const { status, json } = await staff.post(path, { type: 'delete_statuses', ...body });
    return `${status} ${json.error ?? ''}`;
  };
  expect(await send({ status_ids: [other] })).toContain('422 Validation failed: Status ids cannot be found');
  expect(await send({ status_ids: ['x'] })).toContain('422 Validation failed: Status ids cannot be found');
  expect(await send({ text: 'x'.repeat(5001) })).toContain('422 Validation failed: Text is too long');
  expect(await send({ type: 'burn' })).toContain('422');
  expect(await send({ warning_preset_id: '1' })).toContain('404');
  expect(await send({}, at('1'))).toContain('404');
  expect(await send({}, at(await report(alice, bob, [])))).toContain('Status ids must have at least one item');
  expect(await send({ status_ids: [first] })).toBe('200 ');
  expect((await bob.get(`/api/v1/statuses/${first}`)).status).toBe(404);
  for (const each of [second, other]) expect((await bob.get(`/api/v1/statuses/${each}`)).status).toBe(200);
  const own = await report(alice, staff, [await postText(await server.withScopes(staff, 'write'), 'Mine')]);
  expect(await send({}, at(own))).toContain('403');
});

test('ADM-02: a mail quotes ten posts at most', async () => {
  const { server, staff, alice, bob } = await scene();
  await using _ = server;
  const ids: string[] = [];
  for (let number = 1; number <= 12; number += 1) ids.push(await postText(bob, `Number ${number}.`));
  const id = await report(alice, bob, ids);
  await takeMails(server, bob);
  await staff.post(at(id), { type: 'delete_statuses' });
  const [mail] = await takeMails(server, bob);
  expect(mail?.text.match(/Number \d+\./g)).toHaveLength(10);
  expect(mail?.text).toContain('… and 2 more posts');
});
