/** A flag that can be waited for: work may have been stored since it was last taken. */
export class WakeSignal {
  #isSet = false;
  #waiting = Promise.withResolvers<void>();

  set(): void {
    this.#isSet = true;
    this.#waiting.resolve();
  }

  /** Clears the flag and returns whether it was set. */
  take(): boolean {
    if (!this.#isSet) return false;
    this.#isSet = false;
    this.#waiting = Promise.withResolvers();
    return true;
  }

  /** Resolves when the flag is set, or at once if it is. */
  wait(): Promise<void> {
    return this.#waiting.promise;
  }
}
