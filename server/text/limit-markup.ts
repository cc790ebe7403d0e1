/** Maximum opening tags of one text; a post with hundreds of mentions has fewer. */
const maxOpeningTags = 5_000;
/** Including the closing ones. */
const maxTags = 2 * maxOpeningTags;

/**
 * Truncates HTML before the first tag beyond the limit. HTML parsers need time that grows with the square of the depth,
 * and a megabyte of opening tags would block the process for a minute.
 */
export function limitMarkup(html: string): string {
  let opening = 0;
  let tags = 0;
  for (const { index, 1: slash, 2: name = '' } of html.matchAll(/<(\/?)([a-z][a-z0-9]*)?/gi)) {
    tags += 1;
    // A heading becomes two tags, and parsers insert a paragraph or line break for an unmatched closing tag.
    if (/^h[1-6]$/i.test(name)) opening += 2;
    else if (name !== '' && (slash === '' || /^(?:p|br)$/i.test(name))) opening += 1;
    if (opening > maxOpeningTags || tags > maxTags) return html.slice(0, index);
  }
  return html;
}
