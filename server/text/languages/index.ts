// Language codes, and detection of the language of a text.
export { detectLanguage } from './detect-language.ts';
export { findLanguage, languageName, languages, regionalForms } from './languages.ts';
