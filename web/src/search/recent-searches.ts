import { signal } from '@preact/signals';
import { me } from '../session/session.ts';

const maxRecent = 8;
const recent = signal<readonly string[] | undefined>(undefined);
const storageKey = (): string => `recent-searches:${me.peek().id}`;

/** Returns the last searches in this browser, newest first. */
export function recentSearches(): readonly string[] {
  recent.value ??= load();
  return recent.value;
}

/** Remembers a search in this browser. */
export function rememberSearch(text: string): void {
  store([text, ...recentSearches().filter((one) => one !== text)].slice(0, maxRecent));
}

export function forgetSearches(): void {
  store([]);
}

function load(): readonly string[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(storageKey()) ?? '[]');
    return Array.isArray(stored) ? stored.filter((one) => typeof one === 'string').slice(0, maxRecent) : [];
  } catch {
    return [];
  }
}

function store(searches: readonly string[]): void {
  recent.value = searches;
  try {
    localStorage.setItem(storageKey(), JSON.stringify(searches));
  } catch {
    // A full or blocked storage: they last until the page is closed.
  }
}
