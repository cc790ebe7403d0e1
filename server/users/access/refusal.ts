/** The columns that decide whether a user may use the API. */
export interface AccessState {
  readonly confirmed_at: Date | null;
  readonly approved: boolean;
  readonly disabled: boolean;
  readonly suspended_at: Date | null;
  readonly memorial: boolean;
  /** The role requires a second factor, and the user has none. */
  readonly lacks_second_factor: boolean;
}

/** Why a user may not use the API (OAU-03). The error texts are `users.<refusal>`. */
export type Refusal = 'unconfirmed' | 'pending' | 'disabled' | 'lacksSecondFactor';

/** Returns why a user may not use the API; undefined if they may. */
export function refusalOf({
  confirmed_at,
  approved,
  disabled,
  suspended_at,
  memorial,
  lacks_second_factor,
}: AccessState): Refusal | undefined {
  if (confirmed_at === null) return 'unconfirmed';
  if (!approved) return 'pending';
  if (disabled || suspended_at !== null || memorial) return 'disabled';
  if (lacks_second_factor) return 'lacksSecondFactor';
  return undefined;
}
