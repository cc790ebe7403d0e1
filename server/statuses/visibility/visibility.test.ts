import { expect, test } from 'vitest';
import type { Visibility } from '../tables.ts';
import {
  canSee,
  importedVisibility,
  isShown,
  localVisibility,
  narrowerVisibility,
  staysHere,
  type ListingFacts,
  type Surface,
} from './visibility.ts';

const anonymousFacts: ListingFacts = {
  visibility: 'public',
  authorUnavailable: false,
  authorSilenced: false,
  isAuthor: false,
  isOfThisServer: false,
  isFollower: false,
  isMentioned: false,
  blockedByAuthor: false,
  blocking: false,
  muting: false,
  domainBlocked: false,
};

/** The relation of a viewer to an author. Anonymous viewers and strangers see the same. */
const relations = {
  anonymous: {},
  stranger: {},
  follower: { isFollower: true },
  mentioned: { isMentioned: true },
  'mentioned follower': { isFollower: true, isMentioned: true },
  'blocked by the author': { blockedByAuthor: true },
  'blocked by the author, mentioned': { blockedByAuthor: true, isMentioned: true, isFollower: true },
  blocking: { blocking: true },
  'blocking, mentioned': { blocking: true, isMentioned: true },
  muting: { muting: true },
  'muting follower': { muting: true, isFollower: true },
  'blocking the domain': { domainBlocked: true },
  author: { isAuthor: true },
} satisfies Record<string, Partial<ListingFacts>>;
type Relation = keyof typeof relations;

const visibilities: Visibility[] = ['public', 'unlisted', 'private', 'direct'];
const surfaces: Surface[] = ['home', 'lists', 'public', 'account', 'thread', 'notifications', 'search', 'saved'];

/** The visibilities that each relation may see. */
const seen: Record<Relation, Visibility[]> = {
  anonymous: ['public', 'unlisted'],
  stranger: ['public', 'unlisted'],
  follower: ['public', 'unlisted', 'private'],
  mentioned: ['public', 'unlisted', 'private', 'direct'],
  'mentioned follower': ['public', 'unlisted', 'private', 'direct'],
  'blocked by the author': [],
  'blocked by the author, mentioned': [],
  blocking: ['public', 'unlisted'],
  'blocking, mentioned': ['public', 'unlisted', 'private', 'direct'],
  muting: ['public', 'unlisted'],
  'muting follower': ['public', 'unlisted', 'private'],
  'blocking the domain': ['public', 'unlisted'],
  author: ['public', 'unlisted', 'private', 'direct'],
};

/** The surfaces that hide visible statuses from a relation. */
const unrequestedSurfaces: Surface[] = ['home', 'lists', 'public', 'thread', 'search'];
const hiding: Partial<Record<Relation, Surface[]>> = {
  blocking: [...unrequestedSurfaces, 'notifications'],
  'blocking, mentioned': [...unrequestedSurfaces, 'notifications'],
  muting: unrequestedSurfaces,
  'muting follower': unrequestedSurfaces,
  'blocking the domain': unrequestedSurfaces,
};

test('a local-only status is for local accounts only, and otherwise as any other', () => {
  for (const facts of Object.values(relations)) {
    for (const visibility of ['public', 'unlisted', 'private'] as const) {
      const plain: ListingFacts = { ...anonymousFacts, ...facts, visibility, isOfThisServer: true };
      const local: ListingFacts = { ...plain, visibility: localVisibility(visibility) };
      expect(canSee(local)).toBe(canSee(plain));
      for (const surface of surfaces) expect(isShown(local, surface), surface).toBe(isShown(plain, surface));
      const elsewhere: ListingFacts = { ...local, isOfThisServer: false };
      expect(canSee(elsewhere)).toBe(elsewhere.isAuthor);
    }
  }
});

test('an imported status is seen like any other, in no feed, and followers-only ones by local followers', () => {
  const feeds: Surface[] = ['home', 'lists', 'public'];
  for (const facts of Object.values(relations)) {
    for (const visibility of ['public', 'unlisted', 'private', 'direct'] as const) {
      const plain: ListingFacts = { ...anonymousFacts, ...facts, visibility, isOfThisServer: true };
      const imported: ListingFacts = { ...plain, visibility: importedVisibility(visibility) };
      expect(canSee(imported)).toBe(canSee(plain));
      for (const surface of surfaces)
        expect(isShown(imported, surface), surface).toBe(isShown(plain, surface) && !feeds.includes(surface));
      const elsewhere: ListingFacts = { ...imported, isOfThisServer: false };
      if (visibility === 'private') expect(canSee(elsewhere)).toBe(elsewhere.isAuthor);
      expect([staysHere(imported.visibility), staysHere(visibility)]).toEqual([true, false]);
    }
  }
});

for (const [relation, facts] of Object.entries(relations) as [Relation, Partial<ListingFacts>][]) {
  test(`${relation}: sees ${seen[relation].join(', ') || 'nothing'}, except what a surface hides`, () => {
    for (const visibility of visibilities) {
      const all: ListingFacts = { ...anonymousFacts, ...facts, visibility };
      const may = seen[relation].includes(visibility);
      expect(canSee(all), visibility).toBe(may);
      for (const surface of surfaces) {
        const hidden =
          hiding[relation]?.includes(surface) === true || (surface === 'public' && visibility !== 'public');
        expect(isShown(all, surface), `${visibility} on ${surface}`).toBe(may && !hidden);
      }
    }
  });
}

test('no viewer sees posts of a suspended or deleted account', () => {
  for (const facts of Object.values(relations)) {
    for (const visibility of visibilities) {
      const all: ListingFacts = { ...anonymousFacts, ...facts, visibility, authorUnavailable: true };
      expect(canSee(all)).toBe(false);
      for (const surface of surfaces) expect(isShown(all, surface)).toBe(false);
    }
  }
});

test('a silenced author is hidden from public timelines, and shown only to followers in threads and search', () => {
  const silenced: ListingFacts = { ...anonymousFacts, authorSilenced: true };
  const follower: ListingFacts = { ...silenced, isFollower: true };
  const author: ListingFacts = { ...silenced, isAuthor: true };
  const shownTo = (facts: ListingFacts) => surfaces.filter((surface) => isShown(facts, surface));
  expect(shownTo(silenced)).toEqual(['home', 'lists', 'account', 'notifications', 'saved']);
  expect(shownTo(follower)).toEqual(['home', 'lists', 'account', 'thread', 'notifications', 'search', 'saved']);
  expect(shownTo(author)).toEqual(surfaces);
});

test('STA-01: the narrower of two visibilities has the smaller audience', () => {
  expect(narrowerVisibility('public', 'private')).toBe('private');
  expect(narrowerVisibility('direct', 'private')).toBe('direct');
  expect(narrowerVisibility('unlisted', 'public')).toBe('unlisted');
  expect(narrowerVisibility('unlisted', 'unlisted')).toBe('unlisted');
  expect(narrowerVisibility('public', 'local_private')).toBe('local_private');
  expect(narrowerVisibility('private', 'local_public')).toBe('local_private');
  expect(narrowerVisibility('direct', 'local_public')).toBe('direct');
  expect(narrowerVisibility('public', 'imported_unlisted')).toBe('local_unlisted');
});
