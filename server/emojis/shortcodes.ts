const shortcodePattern = '[a-zA-Z0-9_]{2,}';
/** What may stand on neither side: there, colons are part of a time, an address or a row of names. */
const boundaryPattern = String.raw`[\p{L}\p{M}\p{Nd}:]`;
const delimitedShortcode = new RegExp(`(?<!${boundaryPattern}):(${shortcodePattern}):(?!${boundaryPattern})`, 'gu');
const wholeShortcode = new RegExp(`^${shortcodePattern}$`);
/** What most texts do not have is found quickest. */
const possibleShortcode = new RegExp(`:${shortcodePattern}:`);

/** Says whether a text may be the name of an emoji, without its colons. */
export const isShortcode = (name: string): boolean => wholeShortcode.test(name);

/**
 * The names of emojis that stand in texts or safe HTML as `:name:`, without colons, each once, in order. Which of them
 * there are is another question; that one may stand in an address of the HTML does no harm, since nobody shows it there.
 */
export function extractShortcodes(texts: readonly string[]): string[] {
  const found = new Set<string>();
  for (const text of texts) {
    if (!possibleShortcode.test(text)) continue;
    for (const [, shortcode = ''] of text.matchAll(delimitedShortcode)) found.add(shortcode);
  }
  return [...found];
}

/** Safe HTML with what `show` gives for each `:name:` in its text; undefined leaves it as it stands. */
export function replaceShortcodes(html: string, show: (shortcode: string) => string | undefined): string {
  if (!possibleShortcode.test(html)) return html;
  return html
    .split(/(<[^<>]*>)/)
    .map((part) =>
      part.startsWith('<') ? part : part.replace(delimitedShortcode, (raw, name: string) => show(name) ?? raw),
    )
    .join('');
}
