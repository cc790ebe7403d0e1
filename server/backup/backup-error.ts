/** Thrown if a backup cannot be created, read or restored. The message is for the operator. */
export class BackupError extends Error {
  override name = 'BackupError';
}

/** Returns the error of a damaged backup. */
export function damaged(reason: string): BackupError {
  return new BackupError(`The backup is damaged or cut short: ${reason}. Nothing can be restored from it.`);
}
