import { expect, test } from 'vitest';
import { toProfileFields, profileErrors } from './profile-rules.ts';

const wrong = (changes: Parameters<typeof profileErrors>[0]) =>
  profileErrors(changes).map(({ field, error }) => `${field} ${error}`);

test('an empty profile and one at the limits are valid', () => {
  expect(wrong({})).toEqual([]);
  expect(
    wrong({
      displayName: '👩‍🚀'.repeat(5),
      note: '👩‍🚀'.repeat(500),
      avatarDescription: 'a'.repeat(150),
      fields: [
        { name: 'a'.repeat(255), value: 'b'.repeat(255) },
        { name: '', value: '' },
      ],
      attributionDomains: ['example.org', 'bücher.example'],
    }),
  ).toEqual([]);
});

test('ACC-01: all invalid fields are reported together', () => {
  expect(
    wrong({
      displayName: 'a'.repeat(41),
      note: 'a'.repeat(501),
      headerDescription: 'a'.repeat(151),
      fields: [{ value: 'no label' }, { name: 'a'.repeat(256), value: '' }],
      attributionDomains: ['no domain'],
    }),
  ).toEqual([
    'display_name ERR_TOO_LONG',
    'note ERR_TOO_LONG',
    'header_description ERR_TOO_LONG',
    'fields ERR_TOO_LONG',
    'fields ERR_BLANK',
    'attribution_domains ERR_INVALID',
  ]);
  expect(wrong({ attributionDomains: Array.from({ length: 101 }, (_, n) => `a${n}.example`) })).toEqual([
    'attribution_domains ERR_TOO_LONG',
  ]);
});

test('an unchanged value stays verified, a new one is not verified', () => {
  const before = [{ name: 'Site', value: 'https://a.example', verified_at: '2026-01-01T00:00:00.000Z' }];
  const after = [
    { name: 'Home', value: ' https://a.example ' },
    { name: 'Other', value: 'https://b.example' },
    { name: ' ', value: '' },
  ];
  expect(toProfileFields(after, before)).toEqual([
    { name: 'Home', value: 'https://a.example', verified_at: '2026-01-01T00:00:00.000Z' },
    { name: 'Other', value: 'https://b.example', verified_at: null },
  ]);
});
