import { UserFacingError } from '../../user-facing-error.ts';

/** Thrown if the embedded PostgreSQL cannot run. The message is for the operator. */
export class EmbeddedError extends UserFacingError {
  override name = 'EmbeddedError';
}
