import { TextDecoder } from 'node:util';

/** Bytes that are searched for a charset (HTML standard: 1024; some pages have it later). */
const prescanBytes = 4_096;

/**
 * Decodes a page by its byte order mark, else by the charset of the Content-Type header, else by its `meta` element, else
 * as UTF-8, else as windows-1252, which most old pages without a charset use.
 */
export function decodePage(body: Buffer, contentType: string): string {
  const charsetPattern = /charset\s*=\s*["']?([^\s"';]+)/i;
  const headerCharset = charsetPattern.exec(contentType)?.[1];
  const start = body.subarray(0, prescanBytes).toString('latin1');
  const metaCharset = /<meta\b[^>]*?charset\s*=\s*["']?([^\s"'/>;]+)/i.exec(start)?.[1];
  // A page whose `meta` element is readable as ASCII is not UTF-16 (HTML standard).
  const pageCharset = metaCharset !== undefined && /^utf-?16/i.test(metaCharset) ? 'utf-8' : metaCharset;
  for (const label of [detectByteOrderMark(body), headerCharset, pageCharset]) {
    const decoder = label === undefined ? undefined : createDecoder(label);
    if (decoder !== undefined) return decoder.decode(body);
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(body);
  } catch (error) {
    if (error instanceof TypeError) return new TextDecoder('windows-1252').decode(body);
    throw error;
  }
}

function detectByteOrderMark(body: Buffer): string | undefined {
  if (body[0] === 0xef && body[1] === 0xbb && body[2] === 0xbf) return 'utf-8';
  if (body[0] === 0xfe && body[1] === 0xff) return 'utf-16be';
  return body[0] === 0xff && body[1] === 0xfe ? 'utf-16le' : undefined;
}

function createDecoder(label: string): TextDecoder | undefined {
  try {
    return new TextDecoder(label);
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}
