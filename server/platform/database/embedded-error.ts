/** Thrown when the embedded PostgreSQL cannot run; its message is for the person who starts the server. */
export class EmbeddedError extends Error {
  override name = 'EmbeddedError';
}
