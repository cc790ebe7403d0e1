import type { RawBuilder } from 'kysely';
import type { Account } from '../schema.ts';

/** The role that a profile shows. */
export type Badge = NonNullable<Account['roles']>[number];

/** Returns an expression for the badge of the account with this id; null if it has none. */
export type BadgeExpression = (accountId: RawBuilder<unknown>) => RawBuilder<Badge | null>;

let expression: BadgeExpression | undefined;

/**
 * Sets the expression for badges, once, when `users` is loaded. Accounts show roles, and roles belong to `users`, which
 * is above accounts: accounts may not query them. The expression keeps an account one statement and follows every change
 * of a role. A copy of the badge in `accounts` would have to be updated with the role, for all accounts that have it.
 */
export function provideBadges(badge: BadgeExpression): void {
  expression = badge;
}

/** Returns the expression for an account's badge. Throws if none was provided, because `users` is not loaded. */
export function badgeOf(accountId: RawBuilder<unknown>): RawBuilder<Badge | null> {
  if (expression === undefined) throw new Error('No expression for badges: import users/index.ts');
  return expression(accountId);
}

/** Returns a condition: people without an account may subscribe to the posts of the account with this id by e-mail. */
export type SubscribersExpression = (accountId: RawBuilder<unknown>) => RawBuilder<boolean>;

let subscribersExpression: SubscribersExpression | undefined;

/** Sets the condition for `email_subscriptions`, which depends on the user and the role, as `provideBadges` does. */
export function provideEmailSubscribers(condition: SubscribersExpression): void {
  subscribersExpression = condition;
}

/** Returns the condition for `email_subscriptions` of an account. Throws if none was provided. */
export function takesSubscribers(accountId: RawBuilder<unknown>): RawBuilder<boolean> {
  if (subscribersExpression === undefined) throw new Error('No condition for subscribers: import users/index.ts');
  return subscribersExpression(accountId);
}
