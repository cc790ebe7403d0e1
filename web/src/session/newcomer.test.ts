import { expect, test } from 'vitest';
import { isNewcomer } from './newcomer.ts';
import { defaultSettings } from './settings.ts';

const account = { created_at: '2026-05-04T00:00:00.000Z', statuses_count: 0 };
const unseen = { settings: defaultSettings, version: 0 };
const seen = { settings: { ...defaultSettings, hasSeenTour: true }, version: 1 };
const evening = Date.parse('2026-05-05T23:00:00Z');

test('a new account without posts is that of a newcomer until its first tour', () => {
  expect(isNewcomer(account, unseen, evening)).toBe(true);
  expect(isNewcomer(account, seen, evening)).toBe(false);
  expect(isNewcomer({ ...account, statuses_count: 1 }, unseen, evening)).toBe(false);
  expect(isNewcomer(account, unseen, evening + 3_600_000)).toBe(false);
});

test('without a connection, nobody is taken for a newcomer', () => {
  expect(isNewcomer(account, { ...unseen, version: undefined }, evening)).toBe(false);
});
