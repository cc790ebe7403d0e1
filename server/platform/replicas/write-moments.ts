import type { AccountId } from '../ids.ts';

/** The writes of a viewer. */
interface Writes {
  /** Requests in progress. Negative for a moment if the end of one is known before its beginning. */
  open: number;
  /** When the last of them began or ended, as `performance.now()` returns it. */
  moment: number;
}

/** A process that ends does not report the end of its requests. None lasts longer. */
const maxRequestMs = 120_000;
/** Number of viewers from which on old entries are deleted. */
const minCleanUpSize = 1_000;

/** When the writes were that a read must see, as far as this process knows. */
export class WriteMoments {
  /** The last write that concerns everyone. What happened before this process started is not known. */
  #everyone = performance.now();
  readonly #viewers = new Map<AccountId, Writes>();
  readonly #horizonMs: number;
  #cleanUpSize = minCleanUpSize;

  /** `horizonMs`: a replica that is further behind is not used. */
  constructor(horizonMs: number) {
    this.#horizonMs = horizonMs;
  }

  /** Returns the moment up to which a replica must be complete. */
  neededBy(viewerId: AccountId | undefined): number {
    const writes = viewerId === undefined ? undefined : this.#viewers.get(viewerId);
    return writes === undefined ? this.#everyone : Math.max(this.#everyone, momentOf(writes));
  }

  /** A write that concerns everyone has been committed. */
  record(): void {
    this.#everyone = performance.now();
  }

  /** Messages about writes may have been lost. */
  reset(): void {
    this.#viewers.clear();
    this.record();
  }

  /** A request of the viewer that writes has begun. */
  begin(viewerId: AccountId): void {
    this.#change(viewerId, 1);
  }

  /** Such a request has ended. */
  end(viewerId: AccountId): void {
    this.#change(viewerId, -1);
  }

  #change(viewerId: AccountId, by: 1 | -1): void {
    let writes = this.#viewers.get(viewerId);
    if (writes === undefined) {
      if (this.#viewers.size >= this.#cleanUpSize) this.#cleanUp();
      writes = { open: 0, moment: -Infinity };
      this.#viewers.set(viewerId, writes);
    }
    writes.open += by;
    writes.moment = performance.now();
  }

  #cleanUp(): void {
    const now = performance.now();
    for (const [viewerId, { open, moment }] of this.#viewers)
      if (now - moment > (open > 0 ? maxRequestMs : this.#horizonMs)) this.#viewers.delete(viewerId);
    this.#cleanUpSize = Math.max(this.#viewers.size * 2, minCleanUpSize);
  }
}

const momentOf = ({ open, moment }: Writes): number =>
  open > 0 && performance.now() - moment < maxRequestMs ? Infinity : moment;
