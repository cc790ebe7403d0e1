import { expect, test } from 'vitest';
import { isBlurhash } from './blurhash.ts';

test('only a blurhash that clients can render is valid', () => {
  for (const text of [
    'LEHV6nWB2yk8pyo0adR*.7kCMdnj',
    'UBL_:rOpGG-oBUNG,qRj2so|=eE1w^n4S5NH',
    '00TSUA',
    'L00000fQfQfQfQfQfQfQfQfQfQfQ',
  ]) {
    expect(isBlurhash(text), text).toBe(true);
  }
  for (const text of [
    '',
    '0',
    '00TSU',
    'LEHV6nWB2yk8pyo0adR*.7kCMdn',
    'LEHV6nWB2yk8pyo0adR*.7kCMdn"',
    `~${'0'.repeat(165)}`,
  ]) {
    expect(isBlurhash(text), text).toBe(false);
  }
  // Six components across are one too many.
  expect(isBlurhash(`5${'0'.repeat(15)}`)).toBe(false);
});
