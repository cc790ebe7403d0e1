import sharp from 'sharp';
import { expect, test } from 'vitest';
import { multipart, startServer, type TestUser } from '../../server.ts';

const statuses = '/api/v1/statuses';
const family = '👨‍👩‍👧‍👦';
const longLink = `https://long.test/${'a'.repeat(1_982)}`;
const fiveLinks = Array.from({ length: 5 }, (_, index) => `https://long.test/${index}${'b'.repeat(431)}`).join(' ');
const remoteMentions = Array.from({ length: 40 }, (_, index) => `@user${index}@${'long.'.repeat(12)}test`).join(' ');

/** Texts of at most 500 characters with far more code points. */
const longTexts = { emojis: family.repeat(500), longLink, fiveLinks, remoteMentions };

type Send = (user: TestUser, text: string) => Promise<{ status: number; text: string }>;

/** Wherever the text of a post or bio enters. */
const doors: Record<string, Send> = {
  post: (user, status) => user.post(statuses, { status }),
  Markdown: (user, status) => user.post(statuses, { status, content_type: 'text/markdown' }),
  'scheduled post': (user, status) => user.post(statuses, { status, scheduled_at: '2999-01-01' }),
  edit: async (user, status) => {
    const { json } = await user.post(statuses, { status: 'short' });
    return user.put(`${statuses}/${json.id}`, { status });
  },
  draft: (user, status) => user.post('/api/v1/fieldfare/drafts', { posts: [{ status, text: status }] }),
  bio: (user, note) => user.patch('/api/v1/accounts/update_credentials', { note }),
  'content warning': (user, text) => user.post(statuses, { status: '', spoiler_text: text }),
};

test.for(Object.entries(doors))('STA-09: %s counts characters, not code points', async ([, send]) => {
  await using server = await startServer();
  const alice = await server.user('alice');
  for (const [kind, text] of Object.entries(longTexts)) {
    const { status, text: body } = await send(alice, text);
    expect(status, `${kind}: ${body}`).toBe(200);
  }
});

test('STA-09: a post of 500 emoji and one with long links are shown whole', async () => {
  await using server = await startServer();
  const alice = await server.user('alice');
  const emojis = await alice.post(statuses, { status: family.repeat(500) });
  expect(emojis.json.content).toBe(`<p>${family.repeat(500)}</p>`);
  expect((await alice.post(statuses, { status: longLink })).json.content).toContain(`href="${longLink}"`);
  for (const status of [`${family.repeat(500)}a`, `${longLink} ${'a'.repeat(477)}`]) {
    expect((await alice.post(statuses, { status })).status).toBe(422);
  }
});

test('emoji are single characters in polls, names, fields, descriptions, filters, lists and notes', async () => {
  await using server = await startServer();
  const alice = await server.user('alice');
  const image = await sharp({ create: { width: 9, height: 9, channels: 3, background: '#345' } })
    .png()
    .toBuffer();
  const { json: media } = await alice.post(
    '/api/v2/media',
    await multipart({ file: new File([Uint8Array.from(image)], 'a.png') }),
  );
  const { json: filter } = await alice.post('/api/v2/filters', { title: 'a', context: ['home'] });
  const update = '/api/v1/accounts/update_credentials';
  const limited: readonly (readonly [name: string, limit: number, send: (text: string) => ReturnType<Send>])[] = [
    ['poll', 50, (text) => alice.post(statuses, { status: 'a', poll: { options: [text, 'b'], expires_in: 600 } })],
    ['display name', 40, (text) => alice.patch(update, { display_name: text })],
    ['field', 255, (text) => alice.patch(update, { fields_attributes: [{ name: text, value: text }] })],
    ['description', 1_500, (description) => alice.put(`/api/v1/media/${media.id}`, { description })],
    ['image description', 150, (text) => alice.patch('/api/v1/profile', { avatar_description: text })],
    ['filter', 256, (title) => alice.post('/api/v2/filters', { title, context: ['home'] })],
    ['keyword', 512, (keyword) => alice.post(`/api/v2/filters/${filter.id}/keywords`, { keyword })],
    ['list', 256, (title) => alice.post('/api/v1/lists', { title })],
    ['note', 2_000, (comment) => alice.post(`/api/v1/accounts/${alice.id}/note`, { comment })],
  ];
  for (const [name, limit, send] of limited) {
    const { status, text } = await send(family.repeat(limit));
    expect(status, `${name}: ${text}`).toBe(200);
    if (name !== 'description') expect((await send(family.repeat(limit + 1))).status, name).toBe(422);
  }
});
