// Text: formats and counts local text, and sanitises remote HTML. Pure.
export { cleanText } from './clean-text.ts';
export { editDistance } from './edit-distance.ts';
export { escapeHtml } from './escape-html.ts';
export { foldText, sliceByFolded } from './fold-text.ts';
export { htmlToText } from './html-to-text.ts';
export { parseJson } from './parse-json.ts';
export { sanitizeArticle } from './sanitize-article.ts';
export { sanitizeHtml } from './sanitize-html.ts';
export { foldWord, splitWords, type Word } from './split-words.ts';
export { truncateText, exceedsLimit, isTooLarge, maxHtmlBytes, limitHtml } from './text-limits.ts';
export { isTagName, normalizeTag } from './tag-names.ts';
