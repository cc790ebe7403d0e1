import { expect, test } from 'vitest';
import { KeyReader } from './keys.ts';

test('a key is a shortcut by itself', () => {
  expect(new KeyReader().read('j', 0)).toEqual({ kind: 'move', step: 1 });
  expect(new KeyReader().read('constructor', 0)).toBeUndefined();
});

test('g and another key open a page', () => {
  const reader = new KeyReader();
  expect(reader.read('g', 0)).toBeUndefined();
  expect(reader.read('t', 500)).toEqual({ kind: 'page', path: '/public' });
  expect(reader.read('t', 600)).toEqual({ kind: 'translate' });
});

test('g is forgotten after a moment, and by a key that has no page', () => {
  const reader = new KeyReader();
  reader.read('g', 0);
  expect(reader.read('h', 2_000)).toEqual({ kind: 'post', control: 'h' });
  reader.read('g', 3_000);
  expect(reader.read('j', 3_100)).toBeUndefined();
  expect(reader.read('j', 3_200)).toEqual({ kind: 'move', step: 1 });
});
