import type { App } from '../../platform/app.ts';
import { translator, type Translator } from '../../platform/i18n/translator.ts';
import { siteSettings } from '../../site/index.ts';

/** Returns the texts for what is cached for everyone: posts embedded in other sites, and feeds. */
export const loadSharedTexts = async (app: App): Promise<Translator> =>
  translator((await siteSettings(app)).defaultLanguage);
