// Parsing and formatting of text that local users write.
export { type ContentType, contentTypes } from './schema.ts';
export { formatMarkdown, parseMarkdownText } from './format-markdown.ts';
export { formatText, formatLink, type FormatOptions, type MentionLink } from './format-text.ts';
export { parseText } from './parse-text.ts';
