import { signal } from '@preact/signals';

/** Something that is loaded, now or again. `value` is undefined until then, and after a failure. */
export class Load<Value> {
  source: (signal: AbortSignal) => Promise<Value> = () => Promise.reject(new Error('no source'));
  readonly #state = signal<{ readonly value?: Value; readonly error?: unknown }>({});
  #running: AbortController | undefined;
  #isClosed = false;

  get value(): Value | undefined {
    return this.#state.value.value;
  }

  /** Shows what changed. A response that is on its way is older, and is left out. */
  set value(value: Value) {
    this.#running?.abort();
    this.#state.value = { value };
  }

  /** Why it could not be loaded. */
  get error(): unknown {
    return this.#state.value.error;
  }

  /** Loads it. What was loaded before is shown until then. */
  async load(): Promise<void> {
    if (this.#isClosed) return;
    this.#running?.abort();
    const { signal: abortSignal } = (this.#running = new AbortController());
    const { value } = this.#state.peek();
    this.#state.value = value === undefined ? {} : { value };
    try {
      const loaded = await this.source(abortSignal);
      if (!abortSignal.aborted) this.#state.value = { value: loaded };
    } catch (error) {
      if (!abortSignal.aborted) this.#state.value = { error };
    }
  }

  /** Cancels what is on its way, and loads nothing from now on. */
  close(): void {
    this.#isClosed = true;
    this.#running?.abort();
  }
}
