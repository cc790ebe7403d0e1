import type { RawBuilder } from 'kysely';
import type { Account } from '../schema.ts';

/** The role that a profile shows. */
export type Badge = NonNullable<Account['roles']>[number];

/** Returns an expression for the badge of the account with this id; null if it has none. */
export type BadgeExpression = (accountId: RawBuilder<unknown>) => RawBuilder<Badge | null>;

let expression: BadgeExpression | undefined;

/** Sets the expression for badges. Roles belong to `users`, a higher domain, so accounts cannot query them. */
export function provideBadges(badge: BadgeExpression): void {
  expression = badge;
}

/** Returns the expression for an account's badge. Throws if none was provided, because `users` is not loaded. */
export function badgeOf(accountId: RawBuilder<unknown>): RawBuilder<Badge | null> {
  if (expression === undefined) throw new Error('No expression for badges: import users/index.ts');
  return expression(accountId);
}
