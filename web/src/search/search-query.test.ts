import { describe, expect, test } from 'vitest';
import { completeOperators, isAddress } from './search-query.ts';

const words = (text: string): readonly string[] => completeOperators(text, '2026-11-23').map(({ word }) => word);

describe('completeOperators', () => {
  test('continues the last word as an operator', () => {
    expect(words('owls ha')).toEqual(['has:']);
    expect(words('-i')).toEqual(['-is:', '-in:']);
    expect(completeOperators('owls ha', '')[0]?.text).toBe('owls has:');
  });

  test('offers the values of an operator', () => {
    expect(words('has:i')).toEqual(['has:image']);
    expect(words('in:')).toEqual(['in:library', 'in:public', 'in:all']);
    expect(words('before:')).toEqual(['before:2026-11-23']);
  });

  test.each(['', 'owls ', 'zebra', 'has:image', 'http://a'])('offers nothing for %s', (text) => {
    expect(words(text)).toEqual([]);
  });
});

test.each(['https://example.org/@ada/1', '@ada@example.org', 'ada@example.org', ' @a@localhost:3000 '])(
  '%s is an address',
  (text) => {
    expect(isAddress(text)).toBe(true);
  },
);

test.each(['owls', '@ada', 'mail ada@example.org', 'https://', '#owls', 'from:ada@example.org'])(
  '%s is no address',
  (text) => {
    expect(isAddress(text)).toBe(false);
  },
);
