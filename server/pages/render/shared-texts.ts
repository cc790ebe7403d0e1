import { locales } from '../../platform/i18n/locales.ts';
import { translator } from '../../platform/i18n/translator.ts';

/** Texts in the default language, for what is cached for everyone: posts embedded in other sites, and feeds. */
export const sharedTexts = translator(locales[0]);
