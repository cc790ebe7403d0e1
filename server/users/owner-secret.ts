import type { Transaction } from '../platform/database/transaction.ts';
import { deleteOneTimeSecret } from '../site/index.ts';

/** Name of the secret in the link that makes the first owner. */
export const ownerSecretName = 'owner-setup';

/** Ends the link for good: a server that has an owner, or had one, is not given away by an old log. */
export const deleteOwnerSecret = (tx: Transaction): Promise<void> => deleteOneTimeSecret(tx, ownerSecretName);
