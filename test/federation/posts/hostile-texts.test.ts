import { expect, test } from 'vitest';
import { Peer } from '../peer.ts';
import { followingScene, isoTime } from '../peer-scene.ts';
import { resolveAccountOn, resolveStatusOn } from '../two-servers.ts';

/** Characters that PostgreSQL cannot store. */
const unstorable = '\0 \ud800 \udc00';
const replaced = ' \ufffd \ufffd';

/** Appends them to every text of a value except addresses, types and dates. */
function withUnstorable(value: unknown, key = ''): unknown {
  if (typeof value === 'string')
    return ['id', 'type', 'published', 'updated'].includes(key) || URL.canParse(value)
      ? value
      : `${value}${unstorable}`;
  if (Array.isArray(value)) return value.map((item) => withUnstorable(item, key));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, withUnstorable(item, name)]));
}

test('FED-03: NUL characters and lone surrogates are removed from posts, edits and profiles', async () => {
  await using s = await followingScene();
  const { a, alice, eve } = s;
  const note = eve.note(1, {
    published: isoTime(a),
    name: 'Name',
    summary: 'Warning',
    content: '<p title="x">Text</p>',
    contentMap: { en: '<p>Text</p>', 'd\0e': '<p>Text</p>' },
    conversation: 'tag:conversation',
    'un\0known': 'x',
    tag: [
      { type: 'Hashtag', name: '#birds' },
      { type: 'Mention', href: 'https://a.test/users/alice', name: '@alice' },
      {
        type: 'Emoji',
        id: 'https://peer.test/emojis/1',
        name: ':smile:',
        icon: { type: 'Image', url: 'https://peer.test/e.png' },
      },
    ],
    attachment: [
      { type: 'Document', mediaType: 'image/png', url: 'https://peer.test/a.png', name: 'Alt', blurhash: 'x' },
    ],
    type: 'Question',
    oneOf: ['a', 'b'].map((name) => ({ type: 'Note', name, replies: { type: 'Collection', totalItems: 1 } })),
    source: { content: 'Text', mediaType: 'text/plain' },
  });
  const send = async (activity: unknown) => {
    expect(await eve.send(a, activity)).toBe(202);
    await a.drain();
  };
  await send(withUnstorable(eve.create(note)));
  const id = await resolveStatusOn(a, String(note['id']));
  const shown = async () => (await alice.get(`/api/v1/statuses/${id}`)).json;
  expect(await shown()).toMatchObject({
    content: `<p>Text</p>${replaced}`,
    spoiler_text: expect.stringContaining('Warning'),
    media_attachments: [{ description: expect.stringContaining('Alt') }],
    poll: { options: [{ title: `a${replaced}` }, { title: `b${replaced}` }] },
  });
  a.clock.advance(60);
  const edited = { ...note, content: '<p>Edited</p>', updated: isoTime(a) };
  await send(withUnstorable(eve.activity('Update', edited)));
  expect(await shown()).toMatchObject({ content: `<p>Edited</p>${replaced}` });
  const profile = {
    ...eve.json(),
    name: 'Eve',
    summary: '<p>Bio</p>',
    icon: { type: 'Image', url: 'https://peer.test/eve.png', summary: 'Me' },
    attachment: [{ type: 'PropertyValue', name: 'Field', value: 'Value' }],
  };
  await send(eve.activity('Update', { ...(withUnstorable(profile) as object), preferredUsername: 'eve' }));
  expect((await alice.get(`/api/v1/accounts/${await resolveAccountOn(a, 'eve@peer.test')}`)).json).toMatchObject({
    display_name: expect.stringContaining('Eve'),
    note: expect.stringContaining('Bio'),
    fields: [{ name: expect.stringContaining('Field'), value: expect.stringContaining('Value') }],
  });
});

test('FED-01: they are also removed from fetched posts and actors, WebFinger documents and collections', async () => {
  await using s = await followingScene();
  const { a, alice, network } = s;
  const far = new Peer(network, 'far.test');
  const fay = far.actor('fay');
  fay.documentOverrides = {
    name: `Fay${unstorable}`,
    summary: `<p>Bio${unstorable}</p>`,
    featured: `${fay.uri}/featured`,
  };
  const pinned = fay.note('pinned', { content: `<p>Pinned${unstorable}</p>` });
  far.serve({ id: `${fay.uri}/featured`, type: 'OrderedCollection', orderedItems: [pinned] });
  far.serve(fay.note(1, { content: `<p>Found${unstorable}</p>` }));
  const found = await alice.get(`/api/v2/search?resolve=true&q=${encodeURIComponent(`${fay.uri}/notes/1`)}`);
  expect(found).toMatchObject({ status: 200, json: { statuses: [{ content: `<p>Found${replaced}</p>` }] } });
  await a.drain();
  const id = await resolveAccountOn(a, 'fay@far.test');
  expect((await alice.get(`/api/v1/accounts/${id}/statuses?pinned=true`)).json).toMatchObject([
    { content: `<p>Pinned${replaced}</p>` },
  ]);
});

test('FED-03: texts are not truncated within a character', async () => {
  await using s = await followingScene();
  const { a, alice, eve } = s;
  const note = eve.note(1, { summary: `${'x'.repeat(4_999)}😀`, type: 'Note' });
  await eve.send(a, eve.create(note));
  await a.drain();
  const id = await resolveStatusOn(a, String(note['id']));
  expect((await alice.get(`/api/v1/statuses/${id}`)).json.spoiler_text).toBe('x'.repeat(4_999));
});

test('FED-03: keywords and prototype keys are recognized even if a NUL hides them', async () => {
  await using s = await followingScene();
  const { a, eve } = s;
  expect(await eve.send(a, { ...eve.activity('Like', 'https://a.test/users/alice'), '@gr\0aph': [] })).toBe(400);
});
