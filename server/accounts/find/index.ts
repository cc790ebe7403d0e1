// Stored accounts by id, URI and handle, and in turns; the parser of handles.
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
export { accountsPerRun, walkAccounts, type IsInRange } from './walk-accounts.ts';
