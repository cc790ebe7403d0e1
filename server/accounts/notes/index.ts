// Private notes on accounts.
export { addMigrationNote, setNote } from './set-note.ts';
