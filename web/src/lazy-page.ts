import type { ComponentType } from 'preact';
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
