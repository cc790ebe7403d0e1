import { expect, test } from 'vitest';
import {
  addMissed,
  fillGap,
  fillGapUpwards,
  findLeftOff,
  indexAtOrBelow,
  joinPages,
  newerThan,
  toItems,
  type Gap,
  type TimelineItem,
} from './timeline-items.ts';

const gap: Gap = { kind: 'gap', below: '90', above: '10' };
const items: readonly TimelineItem[] = [...toItems(['95', '90']), gap, ...toItems(['10', '5'])];
const shape = (list: readonly TimelineItem[]): string =>
  list.map((item) => (item.kind === 'status' ? item.id : `(${item.below}…${item.above})`)).join(' ');

test('a gap is filled from its newer end, and what is left stays below', () => {
  expect(shape(fillGap(items, gap, { ids: ['80', '70'], isFull: true }))).toBe('95 90 80 70 (70…10) 10 5');
  expect(shape(fillGap(items, gap, { ids: ['80'], isFull: false }))).toBe('95 90 80 10 5');
  expect(shape(fillGap(items, gap, { ids: [], isFull: false }))).toBe('95 90 10 5');
});

test('a gap is filled from its older end, and what is left stays above', () => {
  expect(shape(fillGapUpwards(items, gap, { ids: ['30', '20'], isFull: true }))).toBe('95 90 (90…30) 30 20 10 5');
  expect(shape(fillGapUpwards(items, gap, { ids: ['20'], isFull: false }))).toBe('95 90 20 10 5');
  expect(shape(fillGapUpwards(items, gap, { ids: [], isFull: false }))).toBe('95 90 10 5');
});

test('missed posts are sorted among the waiting ones, and leave a gap where more may be missing', () => {
  const shown = toItems(['50', '40']);
  const add = (waiting: readonly TimelineItem[], ids: string[], isFull: boolean, isRepeated = false) =>
    addMissed(waiting, { ids, isFull }, { shown, since: '50', isRepeated });
  expect(shape(add([], ['90', '80'], true))).toBe('90 80 (80…50)');
  expect(shape(add([], ['90', '80'], false))).toBe('90 80');
  expect(shape(add(toItems(['95', '60']), ['70'], false))).toBe('95 70 60');
  expect(shape(add(toItems(['90']), [], false))).toBe('90');
  // Posts that arrived meanwhile are not the end of what was missed.
  expect(shape(add(toItems(['95']), ['95', '90', '80'], true))).toBe('95 90 80 (80…50)');
  expect(shape(add(toItems(['95', '90', '80']), ['95', '90', '80'], true))).toBe('95 90 80 (80…50)');
  expect(shape(add(toItems(['95', '90', '80']), ['95', '90'], true))).toBe('95 90 80 (80…50)');

  const first = add([], ['90', '80'], true);
  expect(shape(add(first, ['95', '90'], true, true))).toBe('95 90 80 (80…50)');
  expect(shape(add(first, ['99', '95'], true, true))).toBe('99 95 (95…90) 90 80 (80…50)');
});

test('pages that overlap are joined without a gap', () => {
  const full = (ids: readonly string[]) => ({ ids, isFull: true });
  expect(shape(joinPages(full(['50', '40']), full(['20', '10'])))).toBe('50 40 (40…20) 20 10');
  expect(shape(joinPages(full(['50', '40']), full(['40', '30'])))).toBe('50 40 30');
  expect(shape(joinPages(full(['50', '40']), { ids: ['20'], isFull: false }))).toBe('50 40 20');
  expect(shape(joinPages({ ids: [], isFull: false }, full(['20'])))).toBe('20');
});

test('a position whose post is gone is that of the next older post', () => {
  expect(indexAtOrBelow(toItems(['9', '7', '5']), '7')).toBe(1);
  expect(indexAtOrBelow(toItems(['9', '7', '5']), '6')).toBe(2);
  expect(indexAtOrBelow(toItems(['9', '7', '5']), '4')).toBe(-1);
});

test('the place where the reader left off is below the newer posts, which are counted unless some are missing', () => {
  const shown = toItems(['50', '40', '30']);
  expect(findLeftOff(shown, '40')).toEqual({ item: shown[1], newAbove: 1 });
  // The post was deleted meanwhile.
  expect(findLeftOff(shown, '35')).toEqual({ item: shown[2], newAbove: 2 });
  expect(findLeftOff(items, '10')).toMatchObject({ newAbove: 0 });
  expect(findLeftOff(shown, '50')).toBeUndefined();
  expect(findLeftOff(shown, '20')).toBeUndefined();
  expect(findLeftOff([], '20')).toBeUndefined();
});

test('of the posts that arrived before a timeline was loaded, those newer than its newest post still wait', () => {
  const arrived = [...toItems(['100', '99', '98']), { kind: 'gap', below: '98', above: '7' } as const];
  expect(newerThan(arrived, '98')).toEqual(toItems(['100', '99']));
  expect(newerThan(arrived, undefined)).toEqual([]);
});

test('a place among saved posts, which are not in the order of their ids, is that of the same post', () => {
  expect(indexAtOrBelow(toItems(['5', '100', '7']), '7')).toBe(2);
  expect(indexAtOrBelow(toItems(['9', '7', '5']), '8')).toBe(1);
});
