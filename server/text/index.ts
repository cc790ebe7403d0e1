// Text: how what people type becomes safe HTML and is counted, and how the HTML of other servers is made safe. Pure.
export { cleanText } from './clean-text.ts';
export { type ContentType, contentTypes } from './content-types.ts';
export { countCharacters, countGraphemes } from './count-characters.ts';
export { detectLanguage } from './detect-language.ts';
export { escapeHtml } from './escape-html.ts';
export { formatMarkdown, readMarkdown } from './format-markdown.ts';
export { formatText, linkTo, type FormatOptions, type MentionLink } from './format-text.ts';
export { htmlToText } from './html-to-text.ts';
export { isLanguage, type Language, languages, readLanguage } from './languages.ts';
export { parseJson } from './parse-json.ts';
export { readText, type TextPiece } from './read-text.ts';
export { sanitizeHtml } from './sanitize-html.ts';
export { foldWord, splitWords, type Word } from './split-words.ts';
export { cutText, exceedsLimit, maxHtmlBytes, shownHtml } from './text-limits.ts';
export { isTagName, normalizeTag } from './tag-names.ts';
