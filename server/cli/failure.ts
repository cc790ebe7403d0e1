/** Something that the person at the keyboard can mend: told in one line, without a stack, and the exit code is 1. */
export class Failure extends Error {
  override name = 'Failure';
}

/** The lines to tell about an error that ends a command; undefined for a bug, which deserves its stack. */
export function explain(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  if (['Failure', 'ConfigError', 'EmbeddedError', 'Problem', 'DatabaseUnavailable'].includes(error.name))
    return error.message;
  return undefined;
}
