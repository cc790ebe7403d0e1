import type { Transaction } from '../../platform/write/transaction.ts';
import { deleteOneTimeSecret } from '../../site/index.ts';

/** Name of the stored secret of the owner setup link. */
export const ownerSecretName = 'owner-setup';

/** Deletes the secret of the owner setup link, so that an old log cannot give the server away. */
export const deleteOwnerSecret = (tx: Transaction): Promise<void> => deleteOneTimeSecret(tx, ownerSecretName);
