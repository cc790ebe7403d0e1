import { signal, type ReadonlySignal } from '@preact/signals';
import { request } from '../api/client.ts';
import type { Account, Search, Tag } from '../api/entities.ts';

/** What was found for a text that is being typed. */
export interface Found {
  readonly accounts: readonly Account[];
  readonly hashtags: readonly Tag[];
}

const none: Found = { accounts: [], hashtags: [] };
const pauseMs = 200;
const limit = 4;

/** Finds accounts and hashtags while a text is typed: after a pause, and only for the last text. */
export class SuggestionFinder {
  readonly #found = signal<Found>(none);
  #abort: AbortController | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;

  get found(): ReadonlySignal<Found> {
    return this.#found;
  }

  find(text: string): void {
    clearTimeout(this.#timer);
    this.#abort?.abort();
    const wanted = text.trim();
    if (wanted === '' || wanted.includes(':')) {
      this.#found.value = none;
      return;
    }
    this.#timer = setTimeout(() => void this.#load(wanted), pauseMs);
  }

  async #load(q: string): Promise<void> {
    const abort = new AbortController();
    this.#abort = abort;
    const load = (type: string): Promise<Search> =>
      request<Search>('GET', '/api/v2/search', { query: { q, type, limit }, signal: abort.signal });
    try {
      const [{ accounts }, { hashtags }] = await Promise.all([load('accounts'), load('hashtags')]);
      if (!abort.signal.aborted) this.#found.value = { accounts, hashtags };
    } catch {
      // Typing goes on without suggestions; the search itself says what is wrong.
    }
  }
}
