import { Type } from 'typebox';
import { accountStatuses, type AccountFilters } from './account-filters.ts';

const flag = Type.Optional(Type.String({ description: 'Any value but an empty one counts as true' }));

/** The flags of the first version of the list. */
export const legacyFlags = {
  local: flag,
  remote: flag,
  staff: flag,
  active: flag,
  pending: flag,
  disabled: flag,
  silenced: flag,
  suspended: flag,
  sensitized: flag,
};
type LegacyFlags = { readonly [Name in keyof typeof legacyFlags]?: string } & { readonly by_domain?: string };

/** Returns whether a flag is given. */
export const isSet = (flag: string | undefined): boolean => flag !== undefined && flag.trim() !== '';

/**
 * Returns the filters of the flags. Without flags, only local and active accounts are listed; a domain implies remote ones.
 * Of several states the last one of `accountStatuses` counts, as in Mastodon.
 */
export function filtersFromLegacy(input: LegacyFlags): Pick<AccountFilters, 'origin' | 'status'> {
  const isRemote = isSet(input.remote) || (isSet(input.by_domain) && !isSet(input.local));
  return {
    origin: isRemote ? 'remote' : 'local',
    status: accountStatuses.findLast((status) => isSet(input[status])) ?? 'active',
  };
}
