import fc from 'fast-check';
import { expect, test } from 'vitest';
import { audienceOf } from './activities.ts';
import { compactDocument } from './compact-document.ts';
import { DocumentError, usesPlainTerms, parseDocument } from './parse-document.ts';
import { parseActor } from './parse-actor.ts';
import { parseNote, visibilityOf } from './parse-note.ts';
import { dateOf, hostOf, idOf, idsOf, isPublic, isSameHost, textOf, typeOf, urlOf } from './values.ts';

const base = 'https://www.w3.org/ns/activitystreams';
const note = {
  '@context': base,
  id: 'https://b.test/1',
  type: 'Note',
  attributedTo: 'https://b.test/bob',
  content: '<p>x</p>',
};
const actor = {
  '@context': base,
  id: 'https://b.test/bob',
  type: 'Person',
  preferredUsername: 'bob',
  inbox: 'https://b.test/bob/inbox',
  followers: 'https://b.test/bob/followers',
};

test('ids are read from strings, objects and lists', () => {
  expect([
    idOf('https://b.test/1'),
    idOf({ id: 'https://b.test/1' }),
    idOf([{ id: 'x' }, 'y']),
    idOf(null),
    idOf(5),
  ]).toEqual(['https://b.test/1', 'https://b.test/1', 'x', undefined, undefined]);
  expect(idsOf([{ id: 'a' }, 'b', null, 3])).toEqual(['a', 'b']);
  expect(idsOf('a')).toEqual(['a']);
});

test('the public collection has exactly three spellings', () => {
  expect([`${base}#Public`, 'as:Public', 'Public', 'public', `${base}#public`].map(isPublic)).toEqual([
    true,
    true,
    true,
    false,
    false,
  ]);
});

test('hosts are compared in lower case and punycode, with ports', () => {
  expect(hostOf('https://BÜCHER.test/x')).toBe('xn--bcher-kva.test');
  expect(isSameHost('https://b.test/1', 'https://B.TEST:443/2')).toBe(true);
  expect(isSameHost('https://b.test./1', 'https://b.test/2')).toBe(true);
  expect(isSameHost('https://b.test/1', 'https://b.test:8443/2')).toBe(false);
  expect(isSameHost('https://b.test/1', 'https://b.test@evil.test/2')).toBe(false);
  expect([hostOf('ftp://b.test'), hostOf('b.test'), hostOf(undefined)]).toEqual([undefined, undefined, undefined]);
});

test('texts may be language maps, and URLs may be Links', () => {
  expect(textOf({ name: 'a' }, 'name')).toBe('a');
  expect(textOf({ nameMap: { de: 'b' } }, 'name')).toBe('b');
  expect(textOf({ name: { x: 1 } }, 'name')).toBeUndefined();
  const links = [
    { type: 'Link', mediaType: 'video/mp4', href: 'https://b.test/v' },
    { mediaType: 'text/html', href: 'https://b.test/p' },
  ];
  expect([urlOf(links, 'text/html'), urlOf('javascript:alert(1)'), urlOf(['https://b.test/x'])]).toEqual([
    'https://b.test/p',
    undefined,
    'https://b.test/x',
  ]);
  expect([dateOf('2026-01-01T00:00:00Z')?.getTime(), dateOf('soon'), dateOf('-000001-01-01T00:00:00Z')]).toEqual([
    1767225600000,
    undefined,
    undefined,
  ]);
});

test('documents with structural keywords or deep nesting, and values other than objects, are rejected', () => {
  for (const key of ['@graph', '@reverse', '@included', '@nest']) {
    expect(() => parseDocument(JSON.stringify({ ...note, tag: [{ [key]: [] }] }))).toThrow(DocumentError);
  }
  expect(() => parseDocument(`${'{"a":'.repeat(30)}1${'}'.repeat(30)}`)).toThrow('too deeply');
  expect(() => parseDocument(`{"a":${'['.repeat(100_000)}${']'.repeat(100_000)}}`)).toThrow('too deeply');
  for (const text of ['', '[]', 'null', '"x"', '{']) expect(() => parseDocument(text)).toThrow(DocumentError);
});

test('terms have their plain names with the ActivityStreams context only', () => {
  expect(usesPlainTerms(note)).toBe(true);
  expect(usesPlainTerms({ ...note, '@context': [base, { x: 'https://x.test' }] })).toBe(true);
  expect(usesPlainTerms({ ...note, '@context': 'https://x.test' })).toBe(false);
  expect(usesPlainTerms({ ...note, '@context': undefined })).toBe(false);
  expect(usesPlainTerms({ ...note, object: { '@id': 'x' } })).toBe(false);
});

test('documents with other contexts are compacted without requests', async () => {
  const strange = {
    '@context': { foo: `${base}#`, content: 'foo:content' },
    '@id': 'https://b.test/1',
    '@type': 'foo:Note',
    'foo:attributedTo': { '@id': 'https://b.test/bob' },
    content: 'Hello',
    'foo:to': [{ '@id': `${base}#Public` }],
  };
  const plain = await compactDocument(strange);
  expect(parseNote(plain)).toMatchObject({
    uri: 'https://b.test/1',
    attributedTo: 'https://b.test/bob',
    content: 'Hello',
  });
  expect(visibilityOf(parseNote(plain), null)).toBe('public');
  await expect(compactDocument({ '@context': 'https://nowhere.test/context', a: 1 })).resolves.not.toHaveProperty('a');
});

test('an actor must have an id, a name and an inbox on its own host', () => {
  expect(parseActor(actor)).toMatchObject({
    uri: actor.id,
    username: 'bob',
    inbox: actor.inbox,
    followers: actor.followers,
    keys: [],
  });
  expect(() => parseActor({ ...actor, inbox: 'https://c.test/inbox' })).toThrow('no inbox');
  expect(() => parseActor({ ...actor, preferredUsername: 'a b' })).toThrow('no username');
  expect(() => parseActor({ ...actor, type: 'Note' })).toThrow('not an actor');
  expect(
    parseActor({ ...actor, followers: 'https://c.test/f', endpoints: { sharedInbox: 'https://c.test/i' } }),
  ).toMatchObject({ followers: undefined, sharedInbox: undefined });
});

test('profiles and polls above the limits are cut, and longer names of accounts are refused', () => {
  const long = 'x'.repeat(30_000);
  const fields = Array.from({ length: 60 }, () => ({ type: 'PropertyValue', name: long, value: long }));
  const aliases = Array.from({ length: 300 }, (_, index) => `https://c.test/${index}`);
  const texts = { name: long, summary: long, attachment: fields };
  const parsed = parseActor({ ...actor, ...texts, alsoKnownAs: aliases, attributionDomains: aliases });
  expect([parsed.displayName.length, parsed.summary.length]).toEqual([2048, 20_480]);
  expect([parsed.alsoKnownAs.length, parsed.attributionDomains.length]).toEqual([256, 256]);
  expect(parsed.fields.map(({ name, value }) => [name.length, value.length])).toEqual(
    Array.from({ length: 50 }, () => [2047, 2047]),
  );
  expect(parseActor({ ...actor, preferredUsername: 'x'.repeat(2048) }).username).toHaveLength(2048);
  expect(() => parseActor({ ...actor, preferredUsername: 'x'.repeat(2049) })).toThrow('no username');
  const oneOf = Array.from({ length: 600 }, (_, index) => ({ type: 'Note', name: `${index}` }));
  expect(parseNote({ ...note, type: 'Question', oneOf }).question?.options).toHaveLength(500);
});

test.each(['Person', 'Service', 'Group', 'Application', 'Organization'])('an actor may be of type %s', (type) => {
  expect(parseActor({ ...actor, type }).type).toBe(type);
});

test('flags of an actor are false or, for the tabs of its profile, true unless it states otherwise', () => {
  const flags = { locked: false, indexable: false, memorial: false, suspended: false };
  const tabs = { showMedia: true, showRepliesInMedia: true, showFeatured: true };
  expect(parseActor(actor)).toMatchObject({ ...flags, ...tabs, discoverable: undefined });
  const stated = { manuallyApprovesFollowers: true, indexable: true, memorial: true, suspended: true };
  const hidden = { showMedia: false, showRepliesInMedia: false, showFeatured: false };
  expect(parseActor({ ...actor, ...stated, ...hidden, discoverable: true })).toMatchObject({
    locked: true,
    indexable: true,
    memorial: true,
    suspended: true,
    discoverable: true,
    ...hidden,
  });
});

test('the page of an actor is on its own host, and the HTML one of several links', () => {
  const links = [
    { type: 'Link', mediaType: 'application/json', href: 'https://b.test/bob.json' },
    { type: 'Link', mediaType: 'text/html', href: 'https://b.test/@bob' },
  ];
  const urls = ['https://b.test/@bob', links, 'https://c.test/@bob', undefined];
  expect(urls.map((url) => parseActor({ ...actor, url }).url)).toEqual([
    'https://b.test/@bob',
    'https://b.test/@bob',
    undefined,
    undefined,
  ]);
});

test('the option of a poll has its name, or its content if it has none', () => {
  const oneOf = [{ type: 'Note', name: 'a', content: 'x' }, { type: 'Note', content: 'b' }, { type: 'Note' }];
  expect(parseNote({ ...note, type: 'Question', oneOf }).question?.options).toEqual([
    { title: 'a', votes: 0 },
    { title: 'b', votes: 0 },
  ]);
});

test('only keys that the actor owns, on its own host, are accepted', () => {
  const key = (id: string, owner: string) => ({ id, owner, publicKeyPem: 'pem' });
  const publicKey = [
    key(`${actor.id}#a`, actor.id),
    key('https://c.test/k', actor.id),
    key(`${actor.id}#b`, 'https://b.test/eve'),
  ];
  expect(parseActor({ ...actor, publicKey }).keys).toEqual([{ id: `${actor.id}#a`, publicKeyPem: 'pem' }]);
});

test('the author of a post is on the same host, even among several authors', () => {
  expect(parseNote({ ...note, attributedTo: ['https://c.test/x', { id: 'https://b.test/bob' }] }).attributedTo).toBe(
    'https://b.test/bob',
  );
  expect(() => parseNote({ ...note, attributedTo: 'https://c.test/x' })).toThrow('no author');
  expect(() => parseNote({ ...note, type: 'Person' })).toThrow(DocumentError);
});

test('objects of other types become a title with a link', () => {
  const { content } = parseNote({ ...note, type: 'Article', name: 'A <b>', summary: 'Short', url: 'https://b.test/a' });
  expect(content).toBe('<h2>A &lt;b&gt;</h2><p>Short</p><p><a href="https://b.test/a">https://b.test/a</a></p>');
});

test('the addressees determine the visibility of a post', () => {
  const followers = 'https://b.test/bob/followers';
  expect(visibilityOf({ to: ['as:Public'], cc: [] }, followers)).toBe('public');
  expect(visibilityOf({ to: [followers], cc: ['Public'] }, followers)).toBe('unlisted');
  expect(visibilityOf({ to: [followers], cc: [] }, followers)).toBe('private');
  expect(visibilityOf({ to: ['https://c.test/followers'], cc: [] }, followers)).toBe('direct');
  for (const visibility of ['public', 'unlisted', 'private', 'direct'] as const) {
    expect(visibilityOf(audienceOf(visibility, followers, ['https://a.test/alice']), followers)).toBe(visibility);
  }
});

test('every input is parsed or rejected with a DocumentError', () => {
  const refused = (run: () => unknown): void => {
    try {
      run();
    } catch (error) {
      expect(error).toBeInstanceOf(DocumentError);
    }
  };
  const keys = [
    'id',
    'type',
    'tag',
    'to',
    'url',
    'attachment',
    'icon',
    'attributedTo',
    'publicKey',
    'name',
    'content',
    'endpoints',
    'inReplyTo',
  ];
  fc.assert(
    fc.property(fc.dictionary(fc.constantFrom(...keys), fc.jsonValue()), (members) => {
      refused(() => parseNote({ ...note, ...members }));
      refused(() => parseActor({ ...actor, ...members }));
      refused(() => parseDocument(JSON.stringify(members)));
      expect(typeof (typeOf(members) ?? '')).toBe('string');
    }),
  );
});
