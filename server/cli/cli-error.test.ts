import { expect, test } from 'vitest';
import { DataFolderError } from '../platform/files/data-folder.ts';
import { DatabaseUnavailable } from '../platform/database/database-unavailable.ts';
import { EmbeddedError } from '../platform/database/embedded/index.ts';
import { ConfigError } from '../platform/config.ts';
import { notFound } from '../platform/http/http-errors.ts';
import { CliError, userFacingMessage } from './cli-error.ts';

test('errors that the user can fix are printed without a stack trace, bugs with one', () => {
  const errors = [
    new CliError('Unknown command'),
    new ConfigError('PORT is not a number'),
    new DataFolderError('The folder belongs to another server'),
    new EmbeddedError('The disk is full'),
    new DatabaseUnavailable(new Error('PostgreSQL does not answer')),
    notFound(),
  ];
  for (const error of errors) expect(userFacingMessage(error), error.name).toBe(error.message);
  expect(userFacingMessage(new TypeError('x is undefined'))).toBeUndefined();
});
