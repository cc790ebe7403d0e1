// Language codes, and detection of the language of a text.
export { detectLanguage } from './detect-language.ts';
export { isLanguage, languages, findLanguage } from './languages.ts';
