import type { Random } from './random.ts';

interface Thread {
  readonly size: number;
  readonly members: number[];
}

/** Decides which statuses reply to which: a few long threads, and short ones below recent posts. */
export class ThreadGenerator {
  /** Place of the first status of the longest thread. */
  readonly largestRoot: number;
  readonly #random: Random;
  readonly #roots = new Map<number, number>();
  #growing: Thread[] = [];

  constructor(random: Random, statuses: number) {
    this.#random = random;
    this.largestRoot = Math.floor(statuses * 0.6);
    for (let part = 1; part <= 20; part += 1)
      this.#roots.set(Math.floor((statuses * part) / 24), Math.min(60, Math.floor(statuses / 50)));
    this.#roots.set(this.largestRoot, Math.min(500, Math.floor(statuses / 8)));
  }

  /** Starts a long thread at this place if one is planned. Returns whether it did. */
  startThread(place: number): boolean {
    const size = this.#roots.get(place);
    if (size === undefined) return false;
    this.#growing.push({ size, members: [place] });
    return true;
  }

  /** Returns the status of a long thread that `place` replies to; undefined if it joins none. */
  pickParent(place: number): number | undefined {
    const thread = this.#growing.at(-1);
    if (thread === undefined || !this.#random.chance(0.4)) return undefined;
    const { members } = thread;
    // Half of the replies are to the first post.
    const parent = this.#random.chance(0.5) ? members[0] : this.#random.pick(members);
    members.push(place);
    if (members.length > thread.size) this.#growing = this.#growing.filter((other) => other !== thread);
    return parent;
  }
}
