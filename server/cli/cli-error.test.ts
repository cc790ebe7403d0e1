import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { DataFolderError } from '../platform/files/data-folder.ts';
import { DatabaseUnavailable } from '../platform/wire/database-unavailable.ts';
import { EmbeddedError } from '../platform/database/embedded/index.ts';
import { ConfigError } from '../platform/config.ts';
import { AccessDeniedError, invalidField, notFound } from '../platform/http/http-errors.ts';
import { CliError, userFacingMessage } from './cli-error.ts';

test('errors that the user can fix are printed without a stack trace, bugs with one', () => {
  const errors = [
    new CliError('Unknown command'),
    new ConfigError('PORT is not a number'),
    new DataFolderError('The folder belongs to another server'),
    new EmbeddedError('The disk is full'),
    new DatabaseUnavailable(new Error('PostgreSQL does not answer')),
    notFound(),
    invalidField('title', 'problems.blank'),
    new AccessDeniedError(),
  ];
  for (const error of errors) expect(userFacingMessage(error), error.name).toBe(error.message);
  expect(userFacingMessage(new TypeError('x is undefined'))).toBeUndefined();
});

test('a file that cannot be read is named without a stack trace', () => {
  let message: string | undefined;
  try {
    readFileSync('/no/such/file');
  } catch (error) {
    message = userFacingMessage(error);
  }
  expect(message).toBe("ENOENT: no such file or directory, open '/no/such/file'");
});

test('rights that the user of the database lacks are explained', () => {
  const denied = Object.assign(new Error('permission denied for table accounts'), { code: '42501' });
  expect(userFacingMessage(denied)).toBe(
    'The database refuses it: permission denied for table accounts. Check the user of DATABASE_URL.',
  );
});
