import { UserFacingError } from '../platform/user-facing-error.ts';

/** Thrown if a backup cannot be created, read or restored. The message is for the operator. */
export class BackupError extends UserFacingError {
  override name = 'BackupError';
}

/** Returns the error of a damaged backup. */
export function damaged(reason: string): BackupError {
  return new BackupError(`The backup is damaged or cut short: ${reason}. Nothing can be restored from it.`);
}
