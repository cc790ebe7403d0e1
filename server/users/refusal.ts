/** What of a user and account decides whether they may act. */
export interface AccessState {
  readonly confirmed_at: Date | null;
  readonly approved: boolean;
  readonly disabled: boolean;
  readonly suspended_at: Date | null;
  readonly memorial: boolean;
}

/** Why this user may not use the server, in the words that clients know (OAU-03); undefined when they may. */
export function refusalOf({
  confirmed_at,
  approved,
  disabled,
  suspended_at,
  memorial,
}: AccessState): string | undefined {
  if (confirmed_at === null) return 'Your login is missing a confirmed e-mail address';
  if (!approved) return 'Your login is currently pending approval';
  if (disabled || suspended_at !== null || memorial) return 'Your login is currently disabled';
  return undefined;
}
