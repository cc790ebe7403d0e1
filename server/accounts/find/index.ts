// Stored accounts by id, URI and handle, and the parser of handles.
export {
  type AccountRow,
  findAccount,
  findAccountByAcct,
  findAccountByUri,
  findAccountsByHandle,
  findLocalAccount,
  requireAccount,
} from './find-accounts.ts';
export { normalizeDomain, parseHandle, type Handle } from './parse-handle.ts';
