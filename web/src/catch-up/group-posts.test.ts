import fc from 'fast-check';
import { expect, test } from 'vitest';
import { groupByPerson, isOfKind, kinds, measureLength, sortByRarity, type HomeRow } from './group-posts.ts';
import { listRows, shownEntries } from './list-rows.ts';

const row = (id: string, more: Partial<HomeRow> = {}): HomeRow => ({
  id,
  statusId: id,
  authorId: 'ann',
  byId: more.isBoost === true ? 'bob' : (more.authorId ?? 'ann'),
  isBoost: false,
  parentId: null,
  hasMedia: false,
  at: Number(id),
  seconds: 10,
  ...more,
});
const boost = (id: string, statusId: string, byId: string): HomeRow => row(id, { statusId, byId, isBoost: true });

/** People, with the posts of each entry: `ann: 3+5 2`. */
const shape = (rows: readonly HomeRow[]): string[] =>
  groupByPerson(rows).map(({ accountId, entries }) => {
    const shown = entries.map(({ posts }) => posts.map(({ statusId }) => statusId).join('+'));
    return `${accountId}: ${shown.join(' ')}`;
  });

test('posts are grouped by person, newest first', () => {
  expect(shape([row('4'), row('3', { authorId: 'bob' }), row('2')])).toEqual(['ann: 4 2', 'bob: 3']);
});

test('boosts of a post are one entry with their boosters; it belongs to its author if home has it anyway', () => {
  const boosts = [boost('9', '1', 'cem'), boost('8', '1', 'bob')];
  expect(shape(boosts)).toEqual(['bob: 1']);
  expect(groupByPerson(boosts)[0]?.entries[0]?.posts[0]?.boosterIds).toEqual(['bob', 'cem']);
  expect(shape([...boosts, row('1')])).toEqual(['ann: 1']);
});

test('posts that reply to each other, or to the same post, are one entry of who began', () => {
  const thread = [
    row('2'),
    row('4', { parentId: '2', authorId: 'bob' }),
    row('6', { parentId: '4' }),
    row('5', { authorId: 'bob' }),
  ];
  expect(shape(thread)).toEqual(['ann: 2+4+6', 'bob: 5']);
  const answers = [row('7', { parentId: '1' }), row('8', { parentId: '1', authorId: 'bob' })];
  expect(shape(answers)).toEqual(['ann: 7+8']);
  expect(shape([boost('9', '3', 'bob'), row('4', { parentId: '3', authorId: 'cem' })])).toEqual(['bob: 3+4']);
});

test('those who post rarely come first, whichever of their usual and their present rate is higher', () => {
  const rows = [row('9'), row('8', { authorId: 'bob' }), row('7', { authorId: 'bob' }), row('6', { authorId: 'cem' })];
  const usual = new Map([
    ['ann', 20],
    ['bob', 0.1],
    ['cem', 0.2],
  ]);
  const sorted = sortByRarity(groupByPerson(rows), (id) => usual.get(id) ?? 0, 1);
  expect(sorted.map(({ accountId }) => accountId)).toEqual(['cem', 'bob', 'ann']);
});

test('the length counts each post once, and is at least a minute', () => {
  const rows = [row('1', { seconds: 100 }), boost('5', '1', 'bob'), row('3', { seconds: 50 })];
  expect(measureLength([boost('5', '1', 'bob')])).toEqual({ count: 1, minutes: 1 });
  expect(measureLength(rows)).toEqual({ count: 2, minutes: 1 });
  expect(measureLength(rows.map((one) => ({ ...one, seconds: 170 })))).toEqual({ count: 2, minutes: 6 });
});

/** Rows as home may have them: posts, replies to some of them or to others, and boosts of all kinds. */
const anyRows = fc
  .array(
    fc.record({
      author: fc.constantFrom('ann', 'bob', 'cem', 'dan'),
      parent: fc.option(fc.integer({ min: 1, max: 40 })),
      boosted: fc.option(fc.integer({ min: 1, max: 40 })),
      hasMedia: fc.boolean(),
    }),
    { maxLength: 40 },
  )
  .map((list) => {
    const parents = list.map(({ parent }, index) => (parent !== null && parent <= index ? String(parent) : null));
    return list.map(({ author, boosted, hasMedia }, index): HomeRow => {
      const id = String(index + 1);
      const isBoost = boosted !== null && boosted <= index;
      const statusId = isBoost ? String(boosted) : id;
      const parentId = parents[Number(statusId) - 1] ?? null;
      return row(id, { statusId, authorId: author, byId: author, isBoost, parentId, hasMedia });
    });
  });

test('no row is lost or shown twice, in whichever order they were loaded', () => {
  fc.assert(
    fc.property(anyRows, fc.infiniteStream(fc.nat()), (rows, order) => {
      const groups = groupByPerson(rows);
      const posts = groups.flatMap(({ entries }) => entries).flatMap((entry) => entry.posts);
      expect(posts.flatMap((post) => post.rows.map(({ id }) => id)).toSorted()).toEqual(
        rows.map(({ id }) => id).toSorted(),
      );
      expect(posts.map(({ statusId }) => statusId).toSorted()).toEqual(
        [...new Set(rows.map(({ statusId }) => statusId))].toSorted(),
      );
      expect(new Set(groups.map(({ accountId }) => accountId)).size).toBe(groups.length);
      expect(groups.reduce((sum, { postCount }) => sum + postCount, 0)).toBe(posts.length);
      const keyed = rows.map((one) => [order.next().value ?? 0, one] as const);
      const shuffled = keyed.toSorted(([one], [other]) => one - other).map(([, one]) => one);
      expect(groupByPerson(shuffled)).toEqual(groups);
    }),
  );
});

test('a reply is in the entry of its parent', () => {
  fc.assert(
    fc.property(anyRows, (rows) => {
      const entries = groupByPerson(rows).flatMap((group) => group.entries);
      const entryOf = new Map(
        entries.flatMap(({ key, posts }) => posts.map(({ statusId }) => [statusId, key] as const)),
      );
      for (const { statusId, parentId } of rows)
        if (parentId !== null && entryOf.has(parentId)) expect(entryOf.get(statusId)).toBe(entryOf.get(parentId));
    }),
  );
});

test('each row is a post, a reply or a boost, and all of these are all rows', () => {
  fc.assert(
    fc.property(anyRows, (rows) => {
      for (const one of rows) {
        const own = kinds.filter((kind) => isOfKind(one, kind) && kind !== 'media');
        expect(own).toHaveLength(2);
        expect(own[0]).toBe('all');
      }
    }),
  );
});

test('the page shows each post once when all is unfolded, and counts what it does not show', () => {
  fc.assert(
    fc.property(anyRows, (rows) => {
      const groups = groupByPerson(rows);
      const all = new Set(groups.map(({ accountId }) => accountId));
      const threads = new Set(groups.flatMap(({ entries }) => entries.map(({ key }) => key)));
      const open = listRows(groups, { folded: new Set(), unfolded: all, threads });
      expect(open.flatMap((one) => (one.kind === 'post' ? [one.key] : [])).toSorted()).toEqual(
        [...new Set(rows.map(({ statusId }) => statusId))].toSorted(),
      );
      expect(new Set(open.map(({ key }) => key)).size).toBe(open.length);
      const first = listRows(groups, { folded: new Set(), unfolded: new Set(), threads });
      const hidden = first.reduce((sum, one) => sum + (one.kind === 'more' ? one.count : 0), 0);
      expect(first.filter(({ kind }) => kind === 'post').length + hidden).toBe(
        groups.reduce((sum, { postCount }) => sum + postCount, 0),
      );
      expect(listRows(groups, { folded: all, unfolded: all, threads })).toHaveLength(groups.length);
    }),
  );
});

test('of a person with many posts the first ones are shown, and threads are folded', () => {
  const rows = ['1', '2', '3', '4', '5'].map((id) => row(id));
  const shown = listRows(groupByPerson([...rows, row('6', { parentId: '5' })]), {
    folded: new Set(),
    unfolded: new Set(),
    threads: new Set(),
  });
  expect(shown.map(({ key }) => key)).toEqual(['person-ann', '5', 'thread-5', '4', '3', 'more-ann']);
  expect(shown.at(-1)).toMatchObject({ count: 5 - shownEntries });
});
