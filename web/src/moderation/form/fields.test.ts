import { expect, test } from 'vitest';
import { emptyValues, toBody, type FieldSpec } from './fields.ts';

const fields: readonly FieldSpec[] = [
  { name: 'text', label: 'Text', kind: 'text' },
  { name: 'uses', label: 'Uses', kind: 'number' },
  { name: 'day', label: 'Day', kind: 'date' },
  { name: 'on', label: 'On', kind: 'checkbox' },
  { name: 'words', label: 'Words', kind: 'lines' },
  { name: 'level', label: 'Level', kind: 'choice', options: [{ value: 'low', label: 'Low' }] },
];

test('an empty form has a value for each field, and sends no empty numbers and dates', () => {
  const values = emptyValues(fields);
  expect(values).toEqual({ text: '', uses: '', day: '', on: false, words: [], level: 'low' });
  expect(toBody(fields, values)).toEqual({ text: '', on: false, words: [], level: 'low' });
});

test('numbers are sent as numbers, and lists without empty lines', () => {
  const values = { ...emptyValues(fields), uses: '5', words: [' one ', '', 'two'] };
  expect(toBody(fields, values)).toMatchObject({ uses: 5, words: ['one', 'two'] });
});
