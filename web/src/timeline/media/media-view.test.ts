import { expect, test } from 'vitest';
import type { Status } from '../../api/entities.ts';
import { defaultSettings } from '../../session/settings.ts';
import { listSource, tagSource } from '../sources.ts';
import { gridStep, mediaSourceOf, tilesOf, withMediaView } from './media-view.ts';

const post = (id: string, ...media: readonly (readonly [id: string, type: string])[]): Status =>
  ({ id, media_attachments: media.map(([one, type]) => ({ id: one, type })) }) as unknown as Status;

test('each picture is shown once, in order, and files without a picture are left out', () => {
  const first = post('3', ['31', 'image'], ['32', 'unknown'], ['33', 'video']);
  const tiles = tilesOf([first, post('2'), post('1', ['11', 'gifv']), first], ({ id }) => id === '1');
  expect(tiles.map(({ attachment, status, isCovered }) => [attachment.id, status.id, isCovered])).toEqual([
    ['31', '3', false],
    ['33', '3', false],
    ['11', '1', true],
  ]);
});

test('the choice is kept for each timeline, and the oldest ones are given up', () => {
  const chosen = { ...defaultSettings, ...withMediaView('tag:birds', true)(defaultSettings) };
  expect(chosen.mediaTimelines).toEqual(['tag:birds']);
  expect(withMediaView('tag:birds', true)(chosen).mediaTimelines).toEqual(['tag:birds']);
  expect(withMediaView('tag:birds', false)(chosen).mediaTimelines).toEqual([]);
  const many = { ...chosen, mediaTimelines: Array.from({ length: 100 }, (_, index) => `list:${index}`) };
  expect(withMediaView('tag:birds', true)(many).mediaTimelines).toHaveLength(100);
  expect(withMediaView('tag:birds', true)(many).mediaTimelines.at(-1)).toBe('tag:birds');
});

test('the server selects the posts with media of a hashtag, but not of a list', () => {
  expect(mediaSourceOf(tagSource('birds'))).toMatchObject({ key: 'tag:birds:media', query: { only_media: true } });
  expect(mediaSourceOf(listSource('5'))).toEqual(listSource('5'));
});

test('arrow keys move in the grid as it is seen', () => {
  const place = { index: 4, count: 8, columns: 3, isRightToLeft: false };
  expect(gridStep('ArrowRight', place)).toBe(5);
  expect(gridStep('ArrowRight', { ...place, isRightToLeft: true })).toBe(3);
  expect(gridStep('ArrowUp', place)).toBe(1);
  expect(gridStep('ArrowDown', place)).toBe(7);
  expect(gridStep('ArrowDown', { ...place, index: 5 })).toBeUndefined();
  expect(gridStep('End', place)).toBe(7);
  expect(gridStep('a', place)).toBeUndefined();
});
