/** Thrown if the embedded PostgreSQL cannot run. The message is for the operator. */
export class EmbeddedError extends Error {
  override name = 'EmbeddedError';
}
