import { performance, type EventLoopUtilization } from 'node:perf_hooks';
import { setTimeout as pause } from 'node:timers/promises';

/** Returns the time that a loop was idle and in use, since an earlier reading if there is one. */
type LoopUsage = (since?: EventLoopUtilization) => EventLoopUtilization;

/** The event loop of this process. */
export interface LoopClock {
  /** Milliseconds. */
  now(): number;
  readonly usage: LoopUsage;
  pause(ms: number): Promise<unknown>;
}

const ownLoop: LoopClock = {
  now: () => performance.now(),
  usage: (since) => performance.eventLoopUtilization(since),
  pause,
};

/** How much of the loop may be in use before background work begins more slowly: while requests arrive, and otherwise. */
const maxUtilization = { withRequests: 0.5, alone: 0.9 } as const;
/** A request counts as arriving for this time. */
const requestMs = 250;
/** Time between two pieces of work: at first and after a calm, at least and at most. The last lets all work make progress. */
const intervalMs = { first: 2, min: 0.25, max: 10 } as const;
const calmMs = 1_000;
/** Pieces that begin at once after a calm: the usual post has no more. */
const burstAfterCalm = 16;
/** Pieces that begin at once later, after their pauses took longer than they should. */
const burst = 3;
/** Shorter pauses are not exact, so several pieces begin after one. */
const minPauseMs = 1;
const windowMs = 50;
/** How the interval changes after a window in which too much of the loop was in use, and after another one. */
const factors = { slower: 1.5, faster: 0.8 } as const;

/**
 * Limits many short pieces of background work to a share of the event loop, so that requests go first: the pieces get what
 * requests and other work leave. A piece may do most of its work later, when another host answers.
 */
export class LoopShare {
  readonly #clock: LoopClock;
  #intervalMs: number = intervalMs.first;
  #credit = burstAfterCalm;
  #creditAt: number;
  #windowAt: number;
  #requestAt = -Infinity;
  /** The loop of this process and those of threads that do pieces of the work, with their usage when the window began. */
  readonly #loops = new Map<LoopUsage, EventLoopUtilization>();

  constructor(clock: LoopClock = ownLoop) {
    this.#clock = clock;
    this.#creditAt = this.#windowAt = clock.now();
    this.watchLoop((since) => clock.usage(since));
  }

  /** Records that a request arrived. */
  recordRequest(): void {
    this.#requestAt = this.#clock.now();
  }

  /** Limits the use of the loop of a thread, too, which does pieces of the work. Returns what ends this. */
  watchLoop(usage: LoopUsage): () => void {
    this.#loops.set(usage, usage());
    return () => this.#loops.delete(usage);
  }

  /** Resolves when another piece of work may begin. Call it for one piece after the other. */
  async next(): Promise<void> {
    for (;;) {
      const now = this.#clock.now();
      this.#adapt(now);
      // A loop that was held up for long does not catch up at once.
      const max = Math.max(burst, this.#credit, minPauseMs / this.#intervalMs);
      this.#credit = Math.min(max, this.#credit + (now - this.#creditAt) / this.#intervalMs);
      this.#creditAt = now;
      if (this.#credit >= 1) break;
      await this.#clock.pause(Math.max(minPauseMs, (1 - this.#credit) * this.#intervalMs));
    }
    this.#credit -= 1;
  }

  #adapt(now: number): void {
    const elapsed = now - this.#windowAt;
    if (elapsed < windowMs) return;
    this.#windowAt = now;
    const max = now - this.#requestAt < requestMs ? maxUtilization.withRequests : maxUtilization.alone;
    const next = this.#intervalMs * (this.#nextWindow() > max ? factors.slower : factors.faster);
    this.#intervalMs = Math.min(Math.max(next, intervalMs.min), intervalMs.max);
    if (elapsed < calmMs) return;
    this.#intervalMs = intervalMs.first;
    this.#credit = burstAfterCalm;
  }

  /** Begins another window. Returns the use of the busiest loop in the last one. */
  #nextWindow(): number {
    let max = 0;
    for (const [usage, before] of this.#loops) {
      max = Math.max(max, usage(before).utilization);
      this.#loops.set(usage, usage());
    }
    return max;
  }
}

/** The share of all background work of this process. */
export const backgroundShare = new LoopShare();
