import type { Account, AccountBody } from '../accounts/index.ts';

/** The account of a body, as clients get it. */
export const accountOf = ({ json }: AccountBody): Account => JSON.parse(json) as Account;

/** What an account calls itself. */
export const nameOf = ({ display_name: name, username }: Account): string => (name === '' ? username : name);
