/** A seeded random number generator (xoshiro128**). */
export class Random {
  readonly #state: Uint32Array;

  constructor(seed: number) {
    this.#state = new Uint32Array(4);
    let spread = seed >>> 0;
    for (let index = 0; index < 4; index += 1) {
      spread = (spread + 0x9e3779b9) >>> 0;
      let mixed = Math.imul(spread ^ (spread >>> 16), 0x85ebca6b);
      mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
      this.#state[index] = (mixed ^ (mixed >>> 16)) >>> 0;
    }
  }

  /** Returns a number in [0, 1). */
  next(): number {
    const state = this.#state;
    const [a = 0, b = 0, c = 0, d = 0] = state;
    const scrambled = Math.imul(b, 5);
    const result = Math.imul((scrambled << 7) | (scrambled >>> 25), 9) >>> 0;
    const shifted = b << 9;
    const third = c ^ a;
    const fourth = d ^ b;
    state[1] = b ^ third;
    state[0] = a ^ fourth;
    state[2] = third ^ shifted;
    state[3] = (fourth << 11) | (fourth >>> 21);
    return result / 0x1_0000_0000;
  }

  /** Returns a whole number in [0, limit). */
  below(limit: number): number {
    return Math.floor(this.next() * limit);
  }

  /** Like `below`, with small numbers more often. */
  skewed(limit: number, power: number): number {
    return Math.floor(limit * this.next() ** power);
  }

  chance(probability: number): boolean {
    return this.next() < probability;
  }

  pick<Item>(items: readonly Item[]): Item {
    const item = items[this.below(items.length)];
    if (item === undefined) throw new Error('there is nothing to pick from');
    return item;
  }
}
