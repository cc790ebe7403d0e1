import { expect, test } from 'vitest';
import { splitPhrases, voiceFor } from './speech.ts';

test('texts are split into sentences, and what cannot be said is left out', () => {
  const text = 'One bird came.  Two followed! 🐦\n\n…';
  expect(splitPhrases([{ text, language: 'en' }])).toEqual([
    { text: 'One bird came.', language: 'en' },
    { text: 'Two followed!', language: 'en' },
  ]);
  expect(splitPhrases([{ text: '鳥が来た。また来た。', language: 'ja' }]).map((one) => one.text)).toEqual([
    '鳥が来た。',
    'また来た。',
  ]);
});

test('a long sentence is split between its words', () => {
  const parts = splitPhrases([{ text: 'fieldfare '.repeat(60), language: undefined }]);
  expect(parts.length).toBeGreaterThan(2);
  expect(parts.every(({ text }) => text.length <= 200 && /^(?:fieldfare ?)+$/.test(text))).toBe(true);
});

test('a language code of another server that is none does not hinder', () => {
  expect(splitPhrases([{ text: 'Guten Tag.', language: 'not a language' }])).toHaveLength(1);
});

test('the voice speaks the language, best of the same region and on this device', () => {
  const voice = (lang: string, localService = false, isDefault = false) => ({ lang, localService, default: isDefault });
  const [american, british, german, remote] = [
    voice('en-US', true, true),
    voice('en_GB', true),
    voice('de-DE', true),
    voice('de-AT'),
  ];
  const voices = [american, british, remote, german];
  expect(voiceFor(voices, 'en-GB')).toBe(british);
  expect(voiceFor(voices, 'en')).toBe(american);
  expect(voiceFor(voices, 'de')).toBe(german);
  expect(voiceFor(voices, 'de-at')).toBe(remote);
  expect(voiceFor(voices, 'ar')).toBeUndefined();
});
