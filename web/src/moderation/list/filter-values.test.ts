import { expect, test } from 'vitest';
import { activeFilters, readFilters, toQueryString } from './filter-values.ts';

const defaults = { state: 'open', domain: '' };
const filters = [
  {
    name: 'state',
    label: 'State',
    options: [
      { value: 'open', label: 'Open' },
      { value: '', label: 'All' },
    ],
  },
  { name: 'domain', label: 'Domain' },
];

test('filters are read from the address and written to it, without defaults and strange parameters', () => {
  expect(readFilters('', defaults)).toEqual(defaults);
  const values = readFilters('?domain=b%C3%BCcher.test&page=3', defaults);
  expect(values).toEqual({ state: 'open', domain: 'bücher.test' });
  expect(toQueryString(values, defaults)).toBe('?domain=b%C3%BCcher.test');
  expect(readFilters(toQueryString({ state: '', domain: '' }, defaults), defaults)).toEqual({ state: '', domain: '' });
  expect(toQueryString(defaults, defaults)).toBe('');
});

test('active filters are those that are not as they are by default', () => {
  expect(activeFilters(filters, defaults, defaults)).toEqual([]);
  expect(activeFilters(filters, { state: '', domain: 'far.test' }, defaults)).toEqual([
    { name: 'state', text: 'State: All' },
    { name: 'domain', text: 'Domain: far.test' },
  ]);
});
