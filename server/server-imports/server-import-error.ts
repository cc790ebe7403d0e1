import { UserFacingError } from '../platform/user-facing-error.ts';

/** An import that cannot start or go on, with the reason for the operator. */
export class ServerImportError extends UserFacingError {
  override name = 'ServerImportError';
}
