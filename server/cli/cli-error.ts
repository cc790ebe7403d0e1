/** Something that the person at the keyboard can mend: told in one line, without a stack, and the exit code is 1. */
export class CliError extends Error {
  override name = 'CliError';
}

/** Errors whose messages are for the person at the keyboard. */
const userFacingErrors = new Set([
  'CliError',
  'ConfigError',
  'DataFolderError',
  'EmbeddedError',
  'HttpError',
  'DatabaseUnavailable',
]);

/** The lines to tell about an error that ends a command; undefined for a bug, which deserves its stack. */
export function userFacingMessage(error: unknown): string | undefined {
  return error instanceof Error && userFacingErrors.has(error.name) ? error.message : undefined;
}
