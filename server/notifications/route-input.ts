import { Type } from 'typebox';
import type { AccountId } from '../platform/ids.ts';
import { filterIdSchema } from '../platform/id-schema.ts';
import type { NotificationFilter } from './list-notifications.ts';

/** Page sizes, also of groups of notifications. */
export const limits = { defaultLimit: 40, maxLimit: 80 };
/** How far the unread notifications or groups are counted. */
export const unreadLimits = { defaultLimit: 100, maxLimit: 1_000 };
export const readAccess = { access: 'user', scope: 'read|read:notifications' } as const;
export const writeAccess = { access: 'user', scope: 'write|write:notifications' } as const;

/** The parameters that select notifications, to be spread into a route's `input`. */
export const notificationFilterInput = {
  types: Type.Optional(Type.Array(Type.String())),
  exclude_types: Type.Optional(Type.Array(Type.String())),
  account_id: Type.Optional(filterIdSchema<'account'>()),
  include_filtered: Type.Optional(Type.Boolean()),
};

export const supportedTypesInput = {
  supported_types: Type.Optional(
    Type.Array(Type.String(), { description: 'Types that the client supports; other types come with a fallback' }),
  ),
};

export interface FilterInput {
  readonly types?: string[];
  readonly exclude_types?: string[];
  readonly account_id?: AccountId;
  readonly include_filtered?: boolean;
}

export function parseFilter(input: FilterInput): NotificationFilter {
  return {
    types: input.types?.length ? input.types : undefined,
    excludeTypes: input.exclude_types ?? [],
    fromAccountId: input.account_id,
    includeFiltered: input.include_filtered ?? false,
  };
}
