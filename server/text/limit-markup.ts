/** Opening tags of one text; a post of hundreds of mentions has fewer. */
const maxOpeningTags = 5_000;
/** Together with the closing ones. */
const maxTags = 2 * maxOpeningTags;

/**
 * HTML up to the tag that is one too many. HTML parsers need time that grows with the square of the depth, and a megabyte
 * of nothing but opening tags would hold the process for a minute.
 */
export function limitMarkup(html: string): string {
  let opening = 0;
  let tags = 0;
  for (const { index, 1: slash, 2: name = '' } of html.matchAll(/<(\/?)([a-z][a-z0-9]*)?/gi)) {
    tags += 1;
    // A heading becomes two tags, and parsers open a paragraph or a line break where one is only closed.
    if (/^h[1-6]$/i.test(name)) opening += 2;
    else if (name !== '' && (slash === '' || /^(?:p|br)$/i.test(name))) opening += 1;
    if (opening > maxOpeningTags || tags > maxTags) return html.slice(0, index);
  }
  return html;
}
