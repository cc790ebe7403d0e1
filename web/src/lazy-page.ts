import { signal } from '@preact/signals';
import { Fragment, h, type ComponentType } from 'preact';
import { useEffect } from 'preact/hooks';
import { OfflineError } from './api/client.ts';
import { loadTexts, type Part } from './i18n/translate.tsx';
import { ErrorState, LoadingPosts } from './ui/states.tsx';

/**
 * Declares a page that is loaded when it is opened, together with parts of the texts. A placeholder is shown meanwhile, so
 * that a link answers at once. If loading fails, the page says why and offers to try again.
 */
export function lazyPage<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  ...parts: readonly Part[]
): ComponentType<Props> {
  const page = signal<{ readonly Component: ComponentType<Props> } | undefined>(undefined);
  let loading: Promise<void> | undefined;
  const loadAll = async (): Promise<void> => {
    try {
      const [Component] = await Promise.all([load(), ...parts.map(loadTexts)]);
      page.value = { Component };
    } catch (cause) {
      const error = navigator.onLine ? cause : new OfflineError('the page is not stored', { cause });
      page.value = { Component: () => h(ErrorState, { error, onRetry: () => location.reload() }) };
    }
  };
  return function LazyPage(props: Props) {
    if (page.value === undefined) {
      loading ??= loadAll();
      return h(LoadingPage, null);
    }
    return h(page.value.Component, props);
  };
}

/** Shown until a page is loaded, with the space of its header. */
function LoadingPage() {
  return h(Fragment, null, h('div', { class: 'page-header', 'aria-hidden': true }), h(LoadingPosts, null));
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
