import type { Random } from './random.ts';

const dayMs = 86_400_000;

/** One account follows another; both by their places in the list of people. */
export interface Follow {
  readonly follower: number;
  readonly target: number;
  readonly at: number;
  /** Counts up, for the id. */
  readonly sequence: number;
}

/**
 * Who follows whom among `count` people, `average` a head: some many, some few, and the popular far more often followed.
 * Spread over the year before `now`.
 */
export function* generateFollows(random: Random, count: number, average: number, now: number): Generator<Follow> {
  const total = count * average * 2;
  let sequence = 0;
  for (let follower = 0; follower < count; follower += 1) {
    const wanted = Math.min(count - 1, Math.max(1, Math.round(average * (0.3 + random.next() * 1.4))));
    const targets = new Set<number>();
    for (let tries = 0; targets.size < wanted && tries < wanted * 20; tries += 1) {
      const target = random.skewed(count, 2);
      if (target !== follower) targets.add(target);
    }
    for (const target of targets) {
      // Steps so wide that neighbours in the list are far apart in time.
      const place = ((sequence * 7_368_787) % total) / total;
      yield { follower, target, at: Math.floor(now - 365 * dayMs + place * 364 * dayMs), sequence };
      sequence += 1;
    }
  }
}
