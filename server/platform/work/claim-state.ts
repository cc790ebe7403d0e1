/**
 * What a claim loop does about rows that wait for a claim:
 * - `claiming`: rows may be due that no claim has seen, so the next turn claims.
 * - `full`: too little room kept the last claim from taking all that was due, so the next turn claims again.
 * - `waiting`: the last claim took all that was due. Nothing is claimed until a wake-up or until a result frees rows, and
 *   transactions of this process may hand over their rows.
 * - `closing`: nothing more is claimed.
 */
export type ClaimState = 'claiming' | 'full' | 'waiting' | 'closing';

export type ClaimEvent =
  /** Rows may have been stored or become due. */
  | { readonly kind: 'woken' }
  /** A claim ended. `left`: what it knows of rows that are due and were not taken. */
  | { readonly kind: 'claimed'; readonly left: 'none' | 'for lack of room' | 'unknown' }
  /** A recorded result lets rows be claimed that could not be before. */
  | { readonly kind: 'freed' }
  | { readonly kind: 'closed' }
  /** All work in progress has ended. */
  | { readonly kind: 'drained' };

const afterClaim = { none: 'waiting', 'for lack of room': 'full', unknown: 'claiming' } as const;

/** Returns the state after an event. A loop that closes stays so until it is drained. */
export function nextClaimState(state: ClaimState, event: ClaimEvent): ClaimState {
  if (event.kind === 'closed') return 'closing';
  if (state === 'closing') return event.kind === 'drained' ? 'claiming' : 'closing';
  switch (event.kind) {
    case 'woken':
    case 'freed':
    case 'drained':
      return 'claiming';
    case 'claimed':
      return afterClaim[event.left];
  }
}
