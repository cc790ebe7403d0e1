import sharp from 'sharp';
import { expect, test } from 'vitest';
import { startServer, type TestServer, type TestUser } from '../../server.ts';
import { importFile } from './import-posts.ts';
import { createOf, filesOf, oldActor, tarGzOf } from './post-import-files.ts';

const rules = '/api/v1/fieldfare/admin/moderation_rules';

const createStaff = (server: TestServer): Promise<TestUser> =>
  server.user('merle', { role: 'admin', scopes: 'read write admin:read admin:write' });

const createRule = async (staff: TestUser, actions: string[], conditions: object, more: object = {}) => {
  const created = await staff.post(rules, {
    title: `to ${actions.join()}`,
    actions,
    conditions,
    enabled: true,
    ...more,
  });
  expect(created.status, created.text).toBe(200);
  return created.json.id as string;
};

const listOwn = async (user: TestUser) =>
  (await user.get(`/api/v1/accounts/${user.id}/statuses?only_imported=true`)).json as {
    content: string;
    sensitive: boolean;
    in_reply_to_id: string | null;
  }[];

const contentsOf = (statuses: readonly { content: string }[]) =>
  statuses.map(({ content }) => content.replaceAll(/<[^>]*>/g, ''));

const countMedia = async (server: TestServer) =>
  (await server.db.selectFrom('media_attachments').select('id').execute()).length;

test('rules refuse, mark and report imported posts; what they refuse is counted, and added once they are corrected', async () => {
  await using server = await startServer();
  const [staff, alice] = [await createStaff(server), await server.user('alice')];
  const refusing = await createRule(staff, ['reject'], { text: { keywords: ['casino'] } });
  const holding = await createRule(staff, ['hold'], { text: { keywords: ['#lottery', 'roulette'] } });
  const marking = await createRule(
    staff,
    ['sensitive', 'report'],
    { text: { keywords: ['blood'] } },
    { origin: 'local' },
  );
  // An archive arrives as a whole.
  await createRule(staff, ['reject'], { rate: { more_than: 1, seconds: 3_600 } });
  const image = await sharp({ create: { width: 40, height: 30, channels: 3, background: '#396' } })
    .png()
    .toBuffer();
  const attachment = [{ type: 'Document', url: 'media_attachments/a.png', name: 'A casino' }];
  const items = [
    createOf(1, 'fine'),
    createOf(2, 'image', { attachment }),
    createOf(3, 'a roulette'),
    createOf(4, 'blood', { inReplyTo: `${oldActor}/statuses/1` }),
    createOf(5, 'tagged', { tag: [{ type: 'Hashtag', name: '#Lottery' }] }),
    createOf(6, 'answer', { inReplyTo: `${oldActor}/statuses/3` }),
  ];
  const archive = tarGzOf(filesOf(items, { 'media_attachments/a.png': image }));
  expect(await importFile(server, alice, archive)).toMatchObject({
    state: 'finished',
    imported_count: 3,
    refused_count: 3,
    known_count: 0,
  });
  const [answer, blood, fine] = await listOwn(alice);
  expect(contentsOf([answer, blood, fine].flatMap((status) => status ?? []))).toEqual(['answer', 'blood', 'fine']);
  expect([answer?.in_reply_to_id, blood?.sensitive, fine?.sensitive]).toEqual([null, true, false]);
  expect(await countMedia(server)).toBe(0);
  expect((await staff.get('/api/v1/fieldfare/admin/held_posts')).json).toEqual([]);
  const matches = async (id: string) => (await staff.get(`${rules}/${id}/matches`)).json;
  expect(await matches(refusing)).toHaveLength(1);
  expect(await matches(holding)).toHaveLength(2);
  expect(await matches(marking)).toHaveLength(1);
  expect((await staff.get('/api/v1/admin/reports')).json).toHaveLength(1);

  await staff.delete(`${rules}/${refusing}`);
  await staff.delete(`${rules}/${holding}`);
  expect(await importFile(server, alice, archive)).toMatchObject({
    imported_count: 3,
    refused_count: 0,
    known_count: 3,
  });
  expect(await listOwn(alice)).toHaveLength(6);
  expect(await countMedia(server)).toBe(1);
});

test('rules do not apply to the imports of staff who decide about held posts', async () => {
  await using server = await startServer();
  const staff = await createStaff(server);
  await createRule(staff, ['reject'], { text: { keywords: ['casino'] } });
  const archive = tarGzOf(filesOf([createOf(1, 'a casino')]));
  expect(await importFile(server, staff, archive)).toMatchObject({ imported_count: 1, refused_count: 0 });
});
