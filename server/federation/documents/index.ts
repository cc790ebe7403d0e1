// Parsing of posts as other servers write them, for archives.
export { isNote, parseNote, visibilityOf } from './parse-note.ts';
export { dateOf, hostOf, idOf, isObject, listOf, numberOf, textOf, typeOf, type Json } from './values.ts';
