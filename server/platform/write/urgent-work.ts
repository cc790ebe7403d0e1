import { perApp } from '../app.ts';

/** Jobs do not wait longer, in milliseconds. */
const maxWaitMs = 50;
/** With more at once, the process is busy all the time: jobs that waited would only take the room of others. */
const maxPieces = 4;

/** Work that people wait for at this moment, such as sending a new post to open streams. */
class UrgentWork {
  readonly #pieces = new Set<Promise<void>>();

  /** Adds a piece, until it is done. It must not reject. */
  add(piece: Promise<void>): void {
    this.#pieces.add(piece);
    void piece.then(() => this.#pieces.delete(piece));
  }

  /** Runs `work` when the pieces of this moment are done, and at once if there are none. */
  runAfter(work: () => void): void {
    if (this.#pieces.size === 0 || this.#pieces.size > maxPieces) {
      work();
      return;
    }
    const { promise: late, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, maxWaitMs);
    void Promise.race([late, Promise.all(this.#pieces)]).then(() => {
      clearTimeout(timer);
      work();
    });
  }
}

export const urgentWork = perApp(() => new UrgentWork());
