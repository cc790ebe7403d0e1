import { expect, test } from 'vitest';
import { invalidField } from './http-errors.ts';

test('the error of one field has its text, and details with a code', () => {
  const error = invalidField('title', 'problems.tooLong', { max: 30 });
  expect([error.status, error.message]).toEqual([
    422,
    'Validation failed: Title is too long (maximum is 30 characters)',
  ]);
  const [details] = Object.values(error.details ?? {}) as [{ title: { error: string; description: unknown }[] }];
  expect(details.title.map(({ error: code, description }) => [code, String(description)])).toEqual([
    ['ERR_TOO_LONG', 'is too long (maximum is 30 characters)'],
  ]);
  expect(invalidField('domain', 'problems.notDomain').details).toMatchObject({
    details: { domain: [{ error: 'ERR_INVALID' }] },
  });
});
