import type { Account } from '../../accounts/index.ts';

/** Returns the display name, or the username if it is empty. */
export const displayNameOf = ({ display_name: name, username }: Account): string => (name === '' ? username : name);
