/** Something that the person at the keyboard can mend: told in one line, without a stack, and the exit code is 1. */
export class Failure extends Error {
  override name = 'Failure';
}

/** Errors whose messages are for the person at the keyboard. */
const mendable = new Set([
  'Failure',
  'ConfigError',
  'DataFolderError',
  'EmbeddedError',
  'Problem',
  'DatabaseUnavailable',
]);

/** The lines to tell about an error that ends a command; undefined for a bug, which deserves its stack. */
export function explain(error: unknown): string | undefined {
  return error instanceof Error && mendable.has(error.name) ? error.message : undefined;
}
