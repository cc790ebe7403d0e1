import { expect, test } from 'vitest';
import type { Visibility } from './tables.ts';
import { canSee, isShown, narrower, type ShownFacts, type Surface } from './visibility.ts';

const nobody: ShownFacts = {
  visibility: 'public',
  authorGone: false,
  authorSilenced: false,
  isAuthor: false,
  isFollower: false,
  isMentioned: false,
  blockedByAuthor: false,
  blocking: false,
  muting: false,
  domainBlocked: false,
};

/** How a viewer stands to an author. The anonymous and the stranger see the same. */
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
} satisfies Record<string, Partial<ShownFacts>>;
type Relation = keyof typeof relations;

const visibilities: Visibility[] = ['public', 'unlisted', 'private', 'direct'];
const surfaces: Surface[] = ['home', 'lists', 'public', 'account', 'thread', 'notifications', 'search', 'saved'];

/** What each relation sees at all; what is not named, nobody of that relation sees. */
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

/** The surfaces that hide from a relation what it may see. */
const everywhereUnasked: Surface[] = ['home', 'lists', 'public', 'thread', 'search'];
const hiding: Partial<Record<Relation, Surface[]>> = {
  blocking: [...everywhereUnasked, 'notifications'],
  'blocking, mentioned': [...everywhereUnasked, 'notifications'],
  muting: everywhereUnasked,
  'muting follower': everywhereUnasked,
  'blocking the domain': everywhereUnasked,
};

for (const [relation, facts] of Object.entries(relations) as [Relation, Partial<ShownFacts>][]) {
  test(`${relation}: sees ${seen[relation].join(', ') || 'nothing'}, on each surface what it does not hide`, () => {
    for (const visibility of visibilities) {
      const all: ShownFacts = { ...nobody, ...facts, visibility };
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

test('nobody sees what a suspended or deleted account wrote, whatever the relation', () => {
  for (const facts of Object.values(relations)) {
    for (const visibility of visibilities) {
      const all: ShownFacts = { ...nobody, ...facts, visibility, authorGone: true };
      expect(canSee(all)).toBe(false);
      for (const surface of surfaces) expect(isShown(all, surface)).toBe(false);
    }
  }
});

test('a silenced author is out of public timelines, and in threads and search only for followers', () => {
  const silenced: ShownFacts = { ...nobody, authorSilenced: true };
  const follower: ShownFacts = { ...silenced, isFollower: true };
  const author: ShownFacts = { ...silenced, isAuthor: true };
  const shownTo = (facts: ShownFacts) => surfaces.filter((surface) => isShown(facts, surface));
  expect(shownTo(silenced)).toEqual(['home', 'lists', 'account', 'notifications', 'saved']);
  expect(shownTo(follower)).toEqual(['home', 'lists', 'account', 'thread', 'notifications', 'search', 'saved']);
  expect(shownTo(author)).toEqual(surfaces);
});

test('STA-01: of two visibilities the narrower reaches fewer people', () => {
  expect(narrower('public', 'private')).toBe('private');
  expect(narrower('direct', 'private')).toBe('direct');
  expect(narrower('unlisted', 'public')).toBe('unlisted');
  expect(narrower('unlisted', 'unlisted')).toBe('unlisted');
});
