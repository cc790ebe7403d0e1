import { expect, test } from 'vitest';
import { nextClaimState, type ClaimEvent, type ClaimState } from './claim-state.ts';

const events: Readonly<Record<string, ClaimEvent>> = {
  woken: { kind: 'woken' },
  'claimed all': { kind: 'claimed', left: 'none' },
  'claimed what had room': { kind: 'claimed', left: 'for lack of room' },
  claimed: { kind: 'claimed', left: 'unknown' },
  freed: { kind: 'freed' },
  closed: { kind: 'closed' },
  drained: { kind: 'drained' },
};

const open: Readonly<Record<string, ClaimState>> = {
  woken: 'claiming',
  'claimed all': 'waiting',
  'claimed what had room': 'full',
  claimed: 'claiming',
  freed: 'claiming',
  closed: 'closing',
  drained: 'claiming',
};

const transitions: Readonly<Record<ClaimState, Readonly<Record<string, ClaimState>>>> = {
  claiming: open,
  full: open,
  waiting: open,
  closing: {
    ...Object.fromEntries(Object.keys(open).map((event) => [event, 'closing'] as const)),
    drained: 'claiming',
  },
};

const rows = Object.entries(transitions).flatMap(([state, next]) =>
  Object.entries(next).map(([event, expected]) => [state as ClaimState, event, expected] as const),
);

test('every event is listed for every state', () => {
  expect(rows).toHaveLength(4 * Object.keys(events).length);
});

test.each(rows)('a loop that is %s, and is %s, is %s then', (state, event, expected) => {
  expect(nextClaimState(state, events[event] as ClaimEvent)).toBe(expected);
});
