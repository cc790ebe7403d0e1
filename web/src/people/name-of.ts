import type { Account } from '../api/entities.ts';

/** Returns the name of an account as plain text; the username if there is none. */
export const nameOf = ({ display_name: name, username }: Pick<Account, 'display_name' | 'username'>): string =>
  name === '' ? username : name;

/** Returns the server of a remote account; undefined for a local one. */
export const domainOf = ({ acct }: Pick<Account, 'acct'>): string | undefined => acct.split('@')[1];
