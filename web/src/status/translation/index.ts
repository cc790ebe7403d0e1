// Posts in the language of the reader.
export { isTranslatable, showOriginal, translate, translateAll, translationOf } from './translations.ts';
