// Language codes, and detection of the language of a text.
export { detectLanguage } from './detect-language.ts';
export { isLanguage, languageName, languages, findLanguage } from './languages.ts';
