import type { Account } from '../api/entities.ts';

/** Returns the server of a remote account; undefined for a local one. */
export const domainOf = ({ acct }: Pick<Account, 'acct'>): string | undefined => acct.split('@')[1];
