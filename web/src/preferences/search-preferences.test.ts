import { expect, test } from 'vitest';
import { matchPreferences } from './search-preferences.ts';

const page = { title: 'Aussehen', hint: 'Thema und Größe', settings: ['Textgröße', 'Bewegung'] };

test('the search finds pages and settings by parts of words, without regard to case and accents', () => {
  expect(matchPreferences(page, 'AUSS')).toEqual({ isMatch: true, settings: [] });
  expect(matchPreferences(page, 'textgro')).toEqual({ isMatch: true, settings: ['Textgröße'] });
  expect(matchPreferences(page, 'bewegung thema')).toEqual({ isMatch: true, settings: [] });
  expect(matchPreferences(page, 'passwort').isMatch).toBe(false);
});

test('an empty search shows every page without its settings', () => {
  expect(matchPreferences(page, '  ')).toEqual({ isMatch: true, settings: [] });
});
