const token = /<(\/?)([a-z][a-z0-9]*)[^>]*>|&#?[a-z0-9]{1,32};|[^<&]+|[<&]/gi;
const ellipsis = '…';

/**
 * Truncates safe HTML (from `sanitizeHtml` or `formatText`) to at most `maxBytes` of UTF-8. The result is well formed:
 * it never ends within a tag, an entity or a surrogate pair, and open tags are closed. An ellipsis marks the cut.
 */
export function truncateHtml(html: string, maxBytes: number): string {
  // Each unit has at most three bytes.
  if (html.length * 3 <= maxBytes || Buffer.byteLength(html) <= maxBytes) return html;
  const open: string[] = [];
  let remainingBytes = maxBytes - Buffer.byteLength(ellipsis);
  let result = '';
  for (const [part, slash, name = ''] of html.matchAll(token)) {
    const bytes = Buffer.byteLength(part);
    const isOpening = name !== '' && slash === '' && name !== 'br' && name !== 'hr';
    // Room for the closing tags of open elements is already reserved.
    if (slash === '/') {
      if (open.at(-1) !== name) continue;
      open.pop();
    } else {
      const needed = bytes + (isOpening ? closingTag(name).length : 0);
      if (needed > remainingBytes) {
        if (name === '' && !part.startsWith('&')) result += truncateBytes(part, remainingBytes);
        break;
      }
      remainingBytes -= needed;
      if (isOpening) open.push(name);
    }
    result += part;
  }
  return `${result}${ellipsis}${open.toReversed().map(closingTag).join('')}`;
}

const closingTag = (name: string): string => `</${name}>`;

/** Returns the longest start of a text, in whole characters, that fits into so many bytes. */
function truncateBytes(text: string, maxBytes: number): string {
  const bytes = Buffer.from(text.slice(0, maxBytes));
  let end = Math.min(maxBytes, bytes.length);
  // Continuation bytes of a character begin with the bits 10.
  while (end > 0 && end < bytes.length && ((bytes[end] ?? 0) & 0xc0) === 0x80) end -= 1;
  return bytes.subarray(0, end).toString();
}
