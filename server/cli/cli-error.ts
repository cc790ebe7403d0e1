/** An error that the person at the keyboard can fix. Printed without a stack; the exit code is 1. */
export class CliError extends Error {
  override name = 'CliError';
}

/** Errors whose messages are for the person at the keyboard. */
const userFacingErrors = new Set([
  'BackupError',
  'CliError',
  'ConfigError',
  'DataFolderError',
  'EmbeddedError',
  'HttpError',
  'DatabaseUnavailable',
]);

/** Returns the message to print for an error; undefined for a bug, which is printed with its stack. */
export function userFacingMessage(error: unknown): string | undefined {
  return error instanceof Error && userFacingErrors.has(error.name) ? error.message : undefined;
}
