import type { Account } from '../accounts/index.ts';

/** What an account calls itself. */
export const displayNameOf = ({ display_name: name, username }: Account): string => (name === '' ? username : name);
