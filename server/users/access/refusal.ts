/** The columns that decide whether a user may use the API. */
export interface AccessState {
  readonly confirmed_at: Date | null;
  readonly approved: boolean;
  readonly disabled: boolean;
  readonly suspended_at: Date | null;
  readonly memorial: boolean;
}

/** Why a user may not use the API (OAU-03). The error texts are `users.<refusal>`. */
export type Refusal = 'unconfirmed' | 'pending' | 'disabled';

/** Returns why a user may not use the API; undefined if they may. */
export function refusalOf({
  confirmed_at,
  approved,
  disabled,
  suspended_at,
  memorial,
}: AccessState): Refusal | undefined {
  if (confirmed_at === null) return 'unconfirmed';
  if (!approved) return 'pending';
  if (disabled || suspended_at !== null || memorial) return 'disabled';
  return undefined;
}
