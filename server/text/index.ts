// Text: formats and counts local text, and sanitises remote HTML. Pure.
export { cleanText } from './clean-text.ts';
export { type ContentType, contentTypes } from './content-types.ts';
export { countCharacters, countGraphemes } from './count-characters.ts';
export { detectLanguage } from './detect-language.ts';
export { escapeHtml } from './escape-html.ts';
export { formatMarkdown, parseMarkdownText } from './format-markdown.ts';
export { formatText, formatLink, type FormatOptions, type MentionLink } from './format-text.ts';
export { htmlToText } from './html-to-text.ts';
export { isLanguage, type Language, languages, findLanguage } from './languages.ts';
export { parseJson } from './parse-json.ts';
export { parseText, type TextToken } from './parse-text.ts';
export { sanitizeHtml } from './sanitize-html.ts';
export { foldWord, splitWords, type Word } from './split-words.ts';
export { truncateText, exceedsLimit, maxHtmlBytes, limitHtml } from './text-limits.ts';
export { isTagName, normalizeTag } from './tag-names.ts';
