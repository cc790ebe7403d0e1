import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { keyLifetimeMs } from './key-lifetime.ts';

const hour = 3_600_000;

test('STA-10: only random UUIDs are kept for a week', () => {
  expect([randomUUID(), randomUUID().toUpperCase()].map(keyLifetimeMs)).toEqual([168 * hour, 168 * hour]);
  const others = [
    'post-1',
    '5d41402abc4b2a76b9719d911017c592',
    // A hash of a text (version 5), and a time (version 1).
    '2ed6657d-e927-568b-95e1-2665a8aea6a2',
    '6ba7b810-9dad-11d1-80b4-00c04fd430c8',
    `${randomUUID()}-2`,
  ];
  expect(others.map(keyLifetimeMs)).toEqual(others.map(() => hour));
});
