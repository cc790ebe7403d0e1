const shortcodePattern = '[a-zA-Z0-9_]{2,}';
/** Not allowed on either side: the colons belong to a time, an address or a row of shortcodes. */
const boundaryPattern = String.raw`[\p{L}\p{M}\p{Nd}:]`;
const delimitedShortcode = new RegExp(`(?<!${boundaryPattern}):(${shortcodePattern}):(?!${boundaryPattern})`, 'gu');
const wholeShortcode = new RegExp(`^${shortcodePattern}$`);
/** A quick check that rules out most texts. */
const possibleShortcode = new RegExp(`:${shortcodePattern}:`);

/** Returns whether a text is a valid shortcode, without colons. */
export const isShortcode = (name: string): boolean => wholeShortcode.test(name);

/**
 * Returns the distinct shortcodes in texts or safe HTML, in order, whether such emojis exist or not. Shortcodes in HTML
 * attributes are included, which is harmless because they are not rendered there.
 */
export function extractShortcodes(texts: readonly string[]): string[] {
  const found = new Set<string>();
  for (const text of texts) {
    if (!possibleShortcode.test(text)) continue;
    for (const [, shortcode = ''] of text.matchAll(delimitedShortcode)) found.add(shortcode);
  }
  return [...found];
}

/** Replaces each `:shortcode:` in the text of safe HTML by what `show` returns; undefined leaves it unchanged. */
export function replaceShortcodes(html: string, show: (shortcode: string) => string | undefined): string {
  if (!possibleShortcode.test(html)) return html;
  return html
    .split(/(<[^<>]*>)/)
    .map((part) =>
      part.startsWith('<') ? part : part.replace(delimitedShortcode, (raw, name: string) => show(name) ?? raw),
    )
    .join('');
}
