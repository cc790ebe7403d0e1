import { signal } from '@preact/signals';
import { h, type ComponentType } from 'preact';
import { useEffect } from 'preact/hooks';
import { lazy } from 'preact-iso';
import { OfflineError } from './api/client.ts';
import { loadTexts } from './i18n/translate.tsx';
import type { Part } from './i18n/texts.ts';
import { ErrorState } from './ui/states.tsx';

/**
 * Declares a page that is loaded when it is opened, together with parts of the texts. If that fails, the page shows why and
 * offers to try again.
 */
export function lazyPage<Props>(
  load: () => Promise<ComponentType<Props>>,
  ...parts: readonly Part[]
): ComponentType<Props> {
  return lazy(async (): Promise<ComponentType<Props>> => {
    try {
      const [page] = await Promise.all([load(), ...parts.map(loadTexts)]);
      return page;
    } catch (cause) {
      const error = navigator.onLine ? cause : new OfflineError('the page is not stored', { cause });
      return () => h(ErrorState, { error, onRetry: () => location.reload() });
    }
  });
}

const reloadedKey = 'fieldfare.reloadedAt';
const minReloadMs = 60_000;

/** Loads the client anew if a newer build replaced its files, but not again and again: files may be missing for other reasons. */
export function reloadAfterNewBuild(): void {
  addEventListener('vite:preloadError', () => {
    const reloadedAt = Number(sessionStorage.getItem(reloadedKey) ?? 0);
    if (!navigator.onLine || Date.now() - reloadedAt < minReloadMs) return;
    sessionStorage.setItem(reloadedKey, String(Date.now()));
    location.reload();
  });
}

/** Declares a part of a page that is loaded after the page is shown, together with parts of the texts. */
export function lazyPart(load: () => Promise<ComponentType>, ...parts: readonly Part[]): ComponentType {
  const loaded = signal<{ readonly Component: ComponentType } | undefined>(undefined);
  const loadAll = async (): Promise<void> => {
    const [Component] = await Promise.all([load(), ...parts.map(loadTexts)]);
    loaded.value = { Component };
  };
  return function LazyPart() {
    useEffect(() => {
      // The page works without the part; it is loaded when the page is shown again.
      if (loaded.peek() === undefined) loadAll().catch(() => undefined);
    }, []);
    if (loaded.value === undefined) return null;
    const { Component } = loaded.value;
    return h(Component, null);
  };
}
