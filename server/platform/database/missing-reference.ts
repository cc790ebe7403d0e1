import { toError } from '../errors.ts';

/** Whether a statement stored a reference to a row that was deleted meanwhile: SQLSTATE `foreign_key_violation`. */
export const isMissingReference = (error: unknown): boolean => toError(error).code === '23503';
