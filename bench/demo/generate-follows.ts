import type { Random } from './random.ts';

const dayMs = 86_400_000;

/** `follower` and `target` are indexes of people. */
export interface Follow {
  readonly follower: number;
  readonly target: number;
  readonly at: number;
  /** Makes ids unique. */
  readonly sequence: number;
}

/**
 * Generates follows between `count` people over the year before `now`. Each follows `average` people on average; popular
 * people are followed far more often.
 */
export function* generateFollows(random: Random, count: number, average: number, now: number): Generator<Follow> {
  const total = count * average * 2;
  let sequence = 0;
  for (let follower = 0; follower < count; follower += 1) {
    const targetCount = Math.min(count - 1, Math.max(1, Math.round(average * (0.3 + random.next() * 1.4))));
    const targets = new Set<number>();
    for (let tries = 0; targets.size < targetCount && tries < targetCount * 20; tries += 1) {
      const target = random.skewed(count, 2);
      if (target !== follower) targets.add(target);
    }
    for (const target of targets) {
      // The step is large, so that consecutive follows are far apart in time.
      const place = ((sequence * 7_368_787) % total) / total;
      yield { follower, target, at: Math.floor(now - 365 * dayMs + place * 364 * dayMs), sequence };
      sequence += 1;
    }
  }
}
