/** Backups: the whole instance in one file, and its restoration. */
export { createBackup, type Instance } from './create/create-backup.ts';
export { checkBackup, differingAddress, restoreBackup } from './restore/restore-backup.ts';
export { verifyBackup } from './restore/verify-backup.ts';
export { copyDatabase } from './copy-database.ts';
