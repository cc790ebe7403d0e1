import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseActivity, parseArchiveActor } from './parse-activity.ts';

const now = new Date('2026-03-01T00:00:00Z');
const uri = 'https://old.example/users/alice';
const publicCollection = 'https://www.w3.org/ns/activitystreams#Public';
const actor = { uri, followers: `${uri}/followers` };

const note = (more: object = {}) => ({
  id: `${uri}/statuses/1`,
  type: 'Note',
  attributedTo: uri,
  url: 'https://old.example/@alice/1',
  published: '2019-05-06T07:08:09Z',
  to: [publicCollection],
  cc: [`${uri}/followers`],
  content: '<p>Hello</p>',
  ...more,
});
const create = (more?: object) => ({
  id: `${uri}/statuses/1/activity`,
  type: 'Create',
  actor: uri,
  object: note(more),
});

test('a post of an archive of Mastodon becomes a record', () => {
  const post = parseActivity(
    create({
      summary: 'Birds',
      sensitive: true,
      inReplyTo: `${uri}/statuses/0`,
      contentMap: { en: '<p>Hello</p>' },
      updated: '2019-05-07T00:00:00Z',
      tag: [{ type: 'Hashtag', name: '#Birds', href: 'https://old.example/tags/birds' }],
      attachment: [
        { type: 'Document', url: 'media_attachments/files/1/original/a.png', name: 'A bird', focalPoint: [0.5, -0.25] },
      ],
    }),
    actor,
    now,
  );
  expect(post).toEqual({
    uri: `${uri}/statuses/1`,
    url: 'https://old.example/@alice/1',
    publishedAt: '2019-05-06T07:08:09.000Z',
    editedAt: '2019-05-07T00:00:00.000Z',
    html: '<p>Hello</p>',
    spoilerText: 'Birds',
    sensitive: true,
    language: 'en',
    visibility: 'public',
    inReplyTo: `${uri}/statuses/0`,
    tags: ['Birds'],
    files: [{ path: 'media_attachments/files/1/original/a.png', description: 'A bird', focus: '0.5,-0.25' }],
    poll: null,
    pollEndedAt: null,
  });
});

test('visibility comes from the addressees', () => {
  const visibilityOf = (to: string[], cc: string[]) => parseActivity(create({ to, cc }), actor, now);
  expect(visibilityOf([publicCollection], [])).toMatchObject({ visibility: 'public' });
  expect(visibilityOf([actor.followers], ['as:Public'])).toMatchObject({ visibility: 'unlisted' });
  expect(visibilityOf([actor.followers], [])).toMatchObject({ visibility: 'private' });
  expect(visibilityOf(['https://b.example/users/bob'], [])).toMatchObject({ visibility: 'direct' });
  expect(visibilityOf([], [])).toMatchObject({ visibility: 'direct' });
});

test('a poll has its results', () => {
  const option = (name: string, totalItems: number) => ({
    type: 'Note',
    name,
    replies: { type: 'Collection', totalItems },
  });
  const question = {
    type: 'Question',
    oneOf: [option('yes', 3), option('no', 1)],
    votersCount: 4,
    endTime: '2019-05-08T00:00:00Z',
  };
  expect(parseActivity(create(question), actor, now)).toMatchObject({
    poll: {
      options: [
        { title: 'yes', votes: 3 },
        { title: 'no', votes: 1 },
      ],
      multiple: false,
      votersCount: 4,
    },
    pollEndedAt: '2019-05-08T00:00:00.000Z',
  });
});

test('boosts, posts of others, impossible dates and empty posts are no posts', () => {
  expect(parseActivity({ type: 'Announce', actor: uri, object: 'https://b.example/1' }, actor, now)).toBe('boost');
  const other = 'https://old.example/users/bob';
  const invalid = [
    create({ attributedTo: other }),
    create({ published: '2005-12-31T23:59:59Z' }),
    create({ published: '2026-03-01T00:00:01Z' }),
    create({ published: 'yesterday' }),
    create({ content: '' }),
    create({ id: 1 }),
    create({ type: 'Person' }),
    { type: 'Create', object: `${uri}/statuses/1` },
    { type: 'Like', object: 'https://b.example/1' },
    null,
  ];
  for (const activity of invalid) expect(parseActivity(activity, actor, now), JSON.stringify(activity)).toBe('invalid');
});

test('an actor needs an address', () => {
  expect(parseArchiveActor({ id: uri })).toEqual(actor);
  expect(parseArchiveActor({ id: uri, followers: 'https://old.example/f' })).toEqual({
    uri,
    followers: 'https://old.example/f',
  });
  for (const document of [null, [], {}, { id: 'actor.json' }, { id: 3 }])
    expect(parseArchiveActor(document)).toBe(undefined);
});

test('whatever the properties of a post are, parsing ends with a record or without one', () => {
  const value = fc.oneof(
    fc.jsonValue({ maxDepth: 3 }),
    fc.constantFrom(uri, `${uri}/statuses/2`, '2019-01-01', publicCollection),
  );
  const names = Object.keys({
    ...note(),
    ...Object.fromEntries(
      'summary sensitive inReplyTo tag attachment oneOf anyOf endTime updated contentMap'
        .split(' ')
        .map((name) => [name, 0]),
    ),
  });
  fc.assert(
    fc.property(fc.dictionary(fc.constantFrom(...names), value), (more) => {
      const post = parseActivity(create(more), actor, now);
      if (typeof post === 'string') return;
      expect(new Date(post.publishedAt) <= now).toBe(true);
      expect(JSON.parse(JSON.stringify(post))).toEqual(post);
    }),
  );
});
