import type { Write } from '../platform/database/write.ts';
import { deleteOneTimeSecret } from '../site/index.ts';

/** Name of the secret in the link that makes the first owner. */
export const ownerSecret = 'owner-setup';

/** Ends the link for good: a server that has an owner, or had one, is not given away by an old log. */
export const endOwnerSetup = (write: Write): Promise<void> => deleteOneTimeSecret(write, ownerSecret);
