/** The columns that decide whether a user may use the API. */
export interface AccessState {
  readonly confirmed_at: Date | null;
  readonly approved: boolean;
  readonly disabled: boolean;
  readonly suspended_at: Date | null;
  readonly memorial: boolean;
}

/** Returns the error for a user who may not use the API, in Mastodon's words (OAU-03); undefined if they may. */
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
