const word = '[a-zA-Z0-9_]{2,}';
/** What may stand on neither side: there, colons are part of a time, an address or a row of names. */
const neighbour = String.raw`[\p{L}\p{M}\p{Nd}:]`;
const written = new RegExp(`(?<!${neighbour}):(${word}):(?!${neighbour})`, 'gu');
const alone = new RegExp(`^${word}$`);
/** What most texts do not have is found quickest. */
const likely = new RegExp(`:${word}:`);

/** Says whether a text may be the name of an emoji, without its colons. */
export const isShortcode = (name: string): boolean => alone.test(name);

/**
 * The names of emojis that stand in texts or safe HTML as `:name:`, without colons, each once, in order. Which of them
 * there are is another question; that one may stand in an address of the HTML does no harm, since nobody shows it there.
 */
export function shortcodesIn(texts: readonly string[]): string[] {
  const found = new Set<string>();
  for (const text of texts) {
    if (!likely.test(text)) continue;
    for (const [, shortcode = ''] of text.matchAll(written)) found.add(shortcode);
  }
  return [...found];
}

/** Safe HTML with what `show` gives for each `:name:` in its text; undefined leaves it as it stands. */
export function replaceShortcodes(html: string, show: (shortcode: string) => string | undefined): string {
  if (!likely.test(html)) return html;
  return html
    .split(/(<[^<>]*>)/)
    .map((part) => (part.startsWith('<') ? part : part.replace(written, (raw, name: string) => show(name) ?? raw)))
    .join('');
}
