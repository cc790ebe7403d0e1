import { expect, test } from 'vitest';
import type { Status } from '../../../server/statuses/schema.ts';
import type { PeerActor } from '../peer.ts';
import { followingScene, isoTime, type PeerScene } from '../peer-scene.ts';
import { homeTimeline, resolveStatusOn } from '../two-servers.ts';

const published = (scene: PeerScene, seconds = 0) => isoTime(scene.a, seconds);

/** Sends a Create of an object and returns the status as alice opens it. */
async function receive(
  scene: PeerScene,
  object: Record<string, unknown>,
  author: PeerActor = scene.eve,
): Promise<Status> {
  expect(await author.send(scene.a, author.create(object))).toBe(202);
  await scene.a.drain();
  return open(scene, object);
}

async function open({ a, alice }: PeerScene, object: Record<string, unknown>): Promise<Status> {
  const id = await resolveStatusOn(a, String(object['id']));
  return (await alice.get(`/api/v1/statuses/${id}`)).json as Status;
}

/** An article of WordPress with a cover, a linked image, a table and footnotes. */
const article = (eve: PeerActor, members: Record<string, unknown> = {}) =>
  eve.note('article', {
    type: 'Article',
    url: 'https://peer.test/2026/bread/',
    name: 'Bread & butter',
    summary: '<p>Why crust matters</p>',
    image: { type: 'Image', url: 'https://peer.test/cover.png', name: 'A loaf' },
    content:
      '<h2>Crust</h2><p>See the note<sup><a href="#fn-1" id="ref-1">1</a></sup>.</p>' +
      '<figure><a href="/crumb.jpg"><img src="/crumb.jpg" alt="Crumb" onerror="alert(1)"></a><figcaption>Open crumb</figcaption></figure>' +
      '<table><thead><tr><th scope="col">Flour</th></tr></thead><tbody><tr><td>Rye</td></tr></tbody></table>' +
      '<ol><li id="fn-1">Bake longer. <a href="https://peer.test/2026/bread/#ref-1">back</a></li></ol><script>alert(1)</script>',
    ...members,
  });

test('FED-03: an article keeps its title, summary and the blocks of its content, and timelines only the former', async () => {
  await using s = await followingScene();
  const status = await receive(s, article(s.eve));
  expect(status.content).toBe(
    '<p><strong>Bread &amp; butter</strong></p><p>Why crust matters</p><p><a href="https://peer.test/2026/bread/" rel="nofollow noopener" target="_blank">https://peer.test/2026/bread/</a></p>',
  );
  const { article: html = '', ...facts } = status.fieldfare ?? {};
  expect(facts).toEqual({
    type: 'Article',
    title: 'Bread & butter',
    summary: '<p>Why crust matters</p>',
    article_length: expect.any(Number),
    event: null,
  });
  const prefix = /id="(article-[0-9a-f]{12}-)ref-1"/.exec(html)?.[1];
  expect(html).toBe(
    `<h2>Crust</h2><p>See the note<sup><a href="#${prefix}fn-1" id="${prefix}ref-1">1</a></sup>.</p>` +
      '<figure><a href="https://peer.test/crumb.jpg" class="u-photo" rel="nofollow noopener" target="_blank">Crumb</a><figcaption>Open crumb</figcaption></figure>' +
      '<table><thead><tr><th scope="col">Flour</th></tr></thead><tbody><tr><td>Rye</td></tr></tbody></table>' +
      `<ol><li id="${prefix}fn-1">Bake longer. <a href="#${prefix}ref-1">back</a></li></ol>`,
  );
  expect(status.media_attachments.map(({ type, remote_url, description }) => [type, remote_url, description])).toEqual([
    ['image', 'https://peer.test/cover.png', 'A loaf'],
    ['image', 'https://peer.test/crumb.jpg', 'Crumb'],
  ]);
  const [inHome] = (await s.alice.get('/api/v1/timelines/home')).json as Status[];
  expect(inHome?.fieldfare).toEqual(facts);
  const reblog = (await s.alice.post(`/api/v1/statuses/${status.id}/reblog`)).json as Status;
  expect(reblog.reblog?.fieldfare).toEqual(facts);
  const opened = (await s.alice.get(`/api/v1/statuses/${reblog.id}`)).json as Status;
  expect(opened.reblog?.fieldfare?.article).toBe(html);
});

test('FED-03: an edit of an article alone counts, also for caches, and a Note has no article', async () => {
  await using s = await followingScene();
  const { a, eve, alice } = s;
  const first = await receive(s, article(eve, { published: published(s) }));
  a.clock.advance(60);
  const update = eve.activity(
    'Update',
    article(eve, { content: '<p>Shorter.</p>', published: published(s, -60), updated: published(s) }),
  );
  await eve.send(a, update);
  await a.drain();
  const edited = await open(s, article(eve));
  expect(edited).toMatchObject({ id: first.id, content: first.content, edited_at: published(s) });
  expect(edited.fieldfare).toMatchObject({ article: '<p>Shorter.</p>', article_length: 8 });
  a.clock.advance(60);
  const note = {
    ...article(eve, { type: 'Note', content: '<p>A note.</p>', published: published(s, -120), updated: published(s) }),
  };
  await eve.send(a, eve.activity('Update', note));
  await a.drain();
  expect(await open(s, note)).toMatchObject({ content: '<p>A note.</p>' });
  expect((await open(s, note)).fieldfare).toBeUndefined();
  expect((await homeTimeline(alice))[0]).not.toHaveProperty('fieldfare');
});

test('FED-03: an event has its times and its place', async () => {
  await using s = await followingScene();
  const event = await receive(s, {
    ...s.eve.note('event', { type: 'Event', name: 'Bread day', content: '<p>Bring dough.</p>' }),
    startTime: '2026-12-01T18:00:00+01:00',
    endTime: '2026-12-01T20:00:00+01:00',
    location: {
      type: 'Place',
      name: 'Mill',
      address: { type: 'PostalAddress', streetAddress: 'Road 1', addressLocality: 'Town', addressCountry: null },
    },
    'ical:status': 'CANCELLED',
    attachment: [{ type: 'Link', href: 'https://meet.test/bread' }],
  });
  expect(event.fieldfare).toMatchObject({
    type: 'Event',
    event: {
      starts_at: '2026-12-01T17:00:00.000Z',
      ends_at: '2026-12-01T19:00:00.000Z',
      place: 'Mill, Road 1, Town',
      cancelled: true,
    },
  });
  expect(event.fieldfare?.article).toContain('href="https://meet.test/bread"');
  const odd = await receive(s, {
    ...s.eve.note('odd', { type: 'Event' }),
    startTime: 'tomorrow',
    location: ['<b>Here</b>', { type: 'Place' }],
  });
  expect(odd.fieldfare).toMatchObject({ title: null, event: { starts_at: null, ends_at: null, place: '<b>Here</b>' } });
});

test('FED-03: a video has a file that can be played, its thumbnail, duration and description', async () => {
  await using s = await followingScene();
  const file = (height: number, size: number, attachment?: unknown) => ({
    type: 'Link',
    mediaType: 'video/mp4',
    href: `https://peer.test/${height}.mp4`,
    height,
    size,
    attachment,
  });
  const streams = (...values: string[]) =>
    values.map((value) => ({ type: 'PropertyValue', name: 'ffprobe_codec_type', value }));
  const video = s.eve.note('video', {
    type: 'Video',
    name: 'Kneading',
    mediaType: 'text/markdown',
    content: '**Slowly**, as on https://peer.test/how <script>alert(1)</script>',
    duration: 'PT1M30S',
    icon: [
      { type: 'Image', url: 'https://peer.test/small.jpg', width: 280, height: 157 },
      { type: 'Image', url: 'https://peer.test/large.jpg', width: 850, height: 480 },
    ],
    url: [
      { type: 'Link', mediaType: 'text/html', href: 'https://peer.test/w/1' },
      {
        type: 'Link',
        mediaType: 'application/x-mpegURL',
        href: 'https://peer.test/master.m3u8',
        tag: [
          file(1080, 900_000_000),
          file(720, 90_000_000, streams('video')),
          file(480, 40_000_000, streams('video', 'audio')),
        ],
      },
      file(240, 5_000_000),
    ],
  });
  const status = await receive(s, video);
  expect(status.url).toBe('https://peer.test/w/1');
  expect(status.fieldfare?.article).toMatch(/^<p><strong>Slowly<\/strong>, as on <a href="https:\/\/peer\.test\/how"/);
  expect(status.fieldfare?.article).not.toContain('<script');
  expect(status.media_attachments).toMatchObject([
    {
      type: 'video',
      remote_url: 'https://peer.test/480.mp4',
      preview_remote_url: 'https://peer.test/large.jpg',
      meta: { original: { height: 480, duration: 90 } },
    },
  ]);
  const large = await receive(s, { ...video, id: `${s.eve.uri}/large`, url: [file(1080, 900_000_000)] });
  expect(large.media_attachments).toMatchObject([{ type: 'image', remote_url: 'https://peer.test/large.jpg' }]);
});

test('FED-03: audio, images, pages and polls keep their files', async () => {
  await using s = await followingScene();
  const { eve } = s;
  const link = (mediaType: string, href: string) => ({ type: 'Link', mediaType, href });
  const media = async (id: string, members: Record<string, unknown>) => {
    const status = await receive(s, eve.note(id, { name: 'Title', ...members }));
    return status.media_attachments.map(({ type, remote_url, preview_remote_url }) => [
      type,
      remote_url,
      preview_remote_url,
    ]);
  };
  const icon = 'https://peer.test/icon.png';
  expect(
    await media('audio', {
      type: 'Audio',
      url: [link('text/html', 'https://peer.test/a'), link('audio/mpeg', 'https://peer.test/a.mp3')],
      icon,
      duration: 12.5,
    }),
  ).toEqual([['audio', 'https://peer.test/a.mp3', icon]]);
  expect(await media('image', { type: 'Image', url: [link('image/webp', 'https://peer.test/i.webp')] })).toEqual([
    ['image', 'https://peer.test/i.webp', null],
  ]);
  const page = eve.note('page', {
    type: 'Page',
    name: 'A link',
    attachment: [{ type: 'Link', href: 'https://elsewhere.test/story' }],
  });
  expect((await receive(s, { ...page, content: null })).fieldfare).toMatchObject({
    type: 'Page',
    article: expect.stringContaining('href="https://elsewhere.test/story"'),
  });
  const oneOf = ['a', 'b'].map((name) => ({ type: 'Note', name }));
  expect(
    await media('question', {
      type: 'Question',
      oneOf,
      attachment: [{ type: 'Document', mediaType: 'image/png', url: 'https://peer.test/q.png' }],
    }),
  ).toEqual([['image', 'https://peer.test/q.png', null]]);
});

test('FED-03: an article is bounded, is found by its title, and obeys visibility and deletion', async () => {
  await using s = await followingScene();
  const { a, alice, eve } = s;
  const huge = eve.note('huge', {
    type: 'Article',
    name: `Sourdough ${'x'.repeat(5_000)}`,
    summary: 'y'.repeat(50_000),
    content: `<p>${'z'.repeat(900_000)}</p>`,
  });
  const { fieldfare } = await receive(s, huge);
  expect(fieldfare?.title).toHaveLength(1_000);
  expect(Buffer.byteLength(fieldfare?.summary ?? '')).toBeLessThanOrEqual(8_192);
  expect(Buffer.byteLength(fieldfare?.article ?? '')).toBeLessThanOrEqual(65_536);
  const secret = await receive(s, article(eve, { id: `${eve.uri}/secret`, to: [`${eve.uri}/followers`], cc: [] }));
  expect(secret.visibility).toBe('private');
  expect((await (await a.user('bob')).get(`/api/v1/statuses/${secret.id}`)).status).toBe(404);
  await alice.post(`/api/v1/statuses/${secret.id}/favourite`);
  await a.drain();
  const found = (await alice.get('/api/v2/search?type=statuses&q=butter')).json as { statuses: Status[] };
  expect(found.statuses.map(({ id }) => id)).toEqual([secret.id]);
  await eve.send(a, eve.activity('Delete', { id: `${eve.uri}/secret`, type: 'Tombstone' }));
  await a.drain();
  expect((await alice.get(`/api/v1/statuses/${secret.id}`)).status).toBe(404);
});
