import { expect, test } from 'vitest';
import { formatTime, playerKey } from './media-time.ts';

test.each([
  [0, '0:00'],
  [65.9, '1:05'],
  [3_723, '1:02:03'],
  [Number.NaN, '0:00'],
  [Number.POSITIVE_INFINITY, '0:00'],
])('%d seconds are shown as %s', (seconds, shown) => {
  expect(formatTime(seconds)).toBe(shown);
});

test('arrow keys seek and change the volume within their bounds', () => {
  const at = { currentTime: 12, duration: 15, volume: 0.95 };
  expect(playerKey('ArrowLeft', at)).toEqual({ currentTime: 7 });
  expect(playerKey('ArrowLeft', { ...at, currentTime: 2 })).toEqual({ currentTime: 0 });
  expect(playerKey('ArrowRight', at)).toEqual({ currentTime: 15 });
  expect(playerKey('End', at)).toEqual({ currentTime: 15 });
  expect(playerKey('ArrowUp', at)).toEqual({ volume: 1 });
  expect(playerKey('f', at)).toBeUndefined();
});

test('a recording of unknown length cannot be wound beyond its start', () => {
  expect(playerKey('ArrowRight', { currentTime: 0, duration: Number.NaN, volume: 1 })).toEqual({ currentTime: 0 });
});
