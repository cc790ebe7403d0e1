import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseMisskeyNote, plainText } from './parse-misskey-note.ts';

const options = {
  origin: 'https://mi.example',
  hashtagUrl: (name: string) => `https://here.example/tags/${name}`,
  now: new Date('2026-03-01T00:00:00Z'),
};
const note = (more: object = {}) => ({
  id: '9abc',
  text: 'Hello #Birds',
  createdAt: '2022-02-03T04:05:06.789Z',
  fileIds: [],
  replyId: null,
  renoteId: null,
  poll: null,
  cw: null,
  visibility: 'public',
  visibleUserIds: [],
  localOnly: false,
  ...more,
});
const parse = (more?: object) => parseMisskeyNote(note(more), options);

test('a note becomes a record', () => {
  expect(parse({ cw: 'Birds', replyId: '9aaa' })).toEqual({
    uri: 'https://mi.example/notes/9abc',
    url: 'https://mi.example/notes/9abc',
    publishedAt: '2022-02-03T04:05:06.789Z',
    editedAt: null,
    html: '<p>Hello <a href="https://here.example/tags/birds" class="mention hashtag" rel="tag">#<span>Birds</span></a></p>',
    spoilerText: 'Birds',
    sensitive: false,
    language: null,
    visibility: 'public',
    inReplyTo: 'https://mi.example/notes/9aaa',
    tags: ['Birds'],
    files: [],
    poll: null,
    pollEndedAt: null,
  });
});

test('visibilities have other names, and an unknown one is direct', () => {
  const names = { public: 'public', home: 'unlisted', followers: 'private', specified: 'direct', hidden: 'direct' };
  for (const [visibility, expected] of Object.entries(names))
    expect(parse({ visibility })).toMatchObject({ visibility: expected });
});

test('a poll, a quote and files are kept, a boost is not', () => {
  const poll = { choices: ['a', 'b'], votes: [2, 0], multiple: true, expiresAt: '2022-02-04T00:00:00.000Z' };
  expect(parse({ poll })).toMatchObject({
    poll: {
      options: [
        { title: 'a', votes: 2 },
        { title: 'b', votes: 0 },
      ],
      multiple: true,
    },
    pollEndedAt: '2022-02-04T00:00:00.000Z',
  });
  expect(parse({ renoteId: '9bbb' })).toMatchObject({ html: expect.stringContaining('mi.example/notes/9bbb') });
  expect(parse({ renoteId: '9bbb', text: null })).toBe('boost');
  const file = { url: 'https://mi.example/files/1.png', comment: 'A bird', isSensitive: true };
  expect(parse({ text: null, fileIds: ['1'], files: [file] })).toMatchObject({
    sensitive: true,
    files: [{ path: file.url, description: 'A bird' }],
  });
  expect(parse({ fileIds: ['1', '2'] })).toMatchObject({ files: [{ path: '' }, { path: '' }] });
});

test('markup becomes text', () => {
  expect(plainText('$[x2 big $[tada.speed=2s $[x3 bird]]] <center>here</center>')).toBe('big bird here');
  expect(plainText('$[not closed <b>bold</b>')).toBe('$[not closed bold');
  expect(parse({ text: '<script>alert(1)</script>' })).toMatchObject({
    html: '<p>&lt;script&gt;alert(1)&lt;/script&gt;</p>',
  });
});

test('whatever a note holds, parsing ends', () => {
  for (const item of [null, [], 'text', {}, note({ id: '../1' }), note({ createdAt: 'never' }), note({ text: '' })])
    expect(parseMisskeyNote(item, options)).toBe('invalid');
  const value = fc.oneof(fc.jsonValue({ maxDepth: 3 }), fc.constantFrom('9abc', '2019-01-01'));
  fc.assert(
    fc.property(fc.dictionary(fc.constantFrom(...Object.keys(note({ files: [] }))), value), (more) => {
      const post = parse(more);
      if (typeof post !== 'string') expect(JSON.parse(JSON.stringify(post))).toEqual(post);
    }),
  );
});
