/** A flag that can be waited for: work may have been stored since it was last taken. Waiting can also be interrupted. */
export class WakeSignal {
  #isSet = false;
  #waiting = Promise.withResolvers<void>();

  set(): void {
    this.#isSet = true;
    this.interrupt();
  }

  /** Ends the wait without setting the flag. */
  interrupt(): void {
    this.#waiting.resolve();
  }

  /** Clears the flag and returns whether it was set. */
  take(): boolean {
    const wasSet = this.#isSet;
    this.#isSet = false;
    this.#waiting = Promise.withResolvers();
    return wasSet;
  }

  /** Resolves when the flag is set or the wait is interrupted, or at once if that happened since it was last taken. */
  wait(): Promise<void> {
    return this.#waiting.promise;
  }
}
