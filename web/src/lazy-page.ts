import { signal } from '@preact/signals';
import { h, type ComponentType } from 'preact';
import { useEffect } from 'preact/hooks';
import { lazy } from 'preact-iso';
import { loadTexts } from './i18n/translate.tsx';
import type { Part } from './i18n/texts.ts';

/** Declares a page that is loaded when it is opened, together with a part of the texts. */
export function lazyPage<Props>(load: () => Promise<ComponentType<Props>>, part?: Part): ComponentType<Props> {
  return lazy(async () => {
    const [page] = await Promise.all([load(), part === undefined ? undefined : loadTexts(part)]);
    return page;
  });
}

/** Declares a part of a page that is loaded after the page is shown, together with a part of the texts. */
export function lazyPart(load: () => Promise<ComponentType>, part: Part): ComponentType {
  const loaded = signal<{ readonly Component: ComponentType } | undefined>(undefined);
  const loadAll = async (): Promise<void> => {
    const [Component] = await Promise.all([load(), loadTexts(part)]);
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
