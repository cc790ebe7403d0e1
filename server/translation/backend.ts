import { perApp, type App } from '../platform/app.ts';
import { deepl } from './deepl.ts';
import { libreTranslate } from './libre-translate.ts';
import type { TranslationBackend } from './service.ts';

/** Returns the configured service; undefined if there is none. */
export const translationBackend = perApp((app): TranslationBackend | undefined => {
  const { TRANSLATION_BACKEND: protocol, TRANSLATION_KEY: key, TRANSLATION_URL: address } = app.config;
  switch (protocol) {
    case 'libretranslate':
      return address === undefined ? undefined : libreTranslate(app, { address, key });
    case 'deepl':
      return key === undefined ? undefined : deepl(app, { address, key });
  }
});

/** Whether a translation service is configured. */
export const canTranslate = (app: App): boolean => translationBackend(app) !== undefined;
