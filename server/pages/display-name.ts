import type { Account, CachedAccount } from '../accounts/index.ts';

/** The account of a body, as clients get it. */
export const parseAccount = ({ json }: CachedAccount): Account => JSON.parse(json) as Account;

/** What an account calls itself. */
export const displayNameOf = ({ display_name: name, username }: Account): string => (name === '' ? username : name);
