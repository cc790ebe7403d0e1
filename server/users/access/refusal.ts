/** The columns that decide whether a user may use the API. */
export interface AccessState {
  readonly confirmed_at: Date | null;
  readonly approved: boolean;
  readonly disabled: boolean;
  readonly suspended_at: Date | null;
  readonly memorial: boolean;
  /** From when on the user, who has no second factor, needs one; null if never. */
  readonly second_factor_from: Date | null;
}

/** Why a user may not use the API (OAU-03). The error texts are `users.<refusal>`. */
export type Refusal = 'unconfirmed' | 'pending' | 'disabled' | 'lacksSecondFactor';

/** Returns why a user may not use the API at a time; undefined if they may. */
export function refusalOf(
  { confirmed_at, approved, disabled, suspended_at, memorial, second_factor_from: from }: AccessState,
  now: Date,
): Refusal | undefined {
  if (confirmed_at === null) return 'unconfirmed';
  if (!approved) return 'pending';
  if (disabled || suspended_at !== null || memorial) return 'disabled';
  if (from !== null && from <= now) return 'lacksSecondFactor';
  return undefined;
}
