import { expect, test } from 'vitest';
import type { Filter } from '../../api/entities.ts';
import { emptyForm, toForm, toRequest } from './filter-form.ts';

const filter: Filter = {
  id: '1',
  title: 'Spoilers',
  context: ['home'],
  expires_at: '2027-01-01T00:00:00.000Z',
  filter_action: 'blur',
  keywords: [
    { id: '5', keyword: 'finale', whole_word: true },
    { id: '6', keyword: 'season', whole_word: false },
  ],
  statuses: [],
};

test('an unchanged form changes nothing, and keeps the time of expiry', () => {
  expect(toRequest(toForm(filter), filter)).toEqual({
    title: 'Spoilers',
    context: ['home'],
    filter_action: 'blur',
    keywords_attributes: [
      { id: '5', keyword: 'finale', whole_word: true },
      { id: '6', keyword: 'season', whole_word: false },
    ],
  });
});

test('a removed or emptied keyword is deleted, and a new one added', () => {
  const form = toForm(filter);
  const [first, second] = form.keywords;
  if (first === undefined || second === undefined) throw new Error('no keywords');
  const keywords = [
    { ...second, keyword: ' ' },
    { keyword: 'cliffhanger', isWholeWord: true },
  ];
  expect(toRequest({ ...form, expiry: '3600', keywords }, filter)).toMatchObject({
    expires_in: 3600,
    keywords_attributes: [
      { keyword: 'cliffhanger', whole_word: true },
      { id: '5', _destroy: true },
      { id: '6', _destroy: true },
    ],
  });
});

test('a new filter never expires, and blank keywords are left out', () => {
  expect(toRequest({ ...emptyForm, title: 'A' })).toMatchObject({
    title: 'A',
    expires_in: '',
    keywords_attributes: [],
  });
});
