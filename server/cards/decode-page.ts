import { TextDecoder } from 'node:util';

/** Bytes in which a page names its charset (HTML standard: the first 1024; some are late). */
const prescanBytes = 4_096;

/**
 * The text of a page: by its byte order mark, else by the charset of the Content-Type header, else by its `meta`
 * element, else as UTF-8, else as Western European, which is what old pages without a name mostly are.
 */
export function decodePage(body: Buffer, contentType: string): string {
  const named = /charset\s*=\s*["']?([^\s"';]+)/i;
  const inHeader = named.exec(contentType)?.[1];
  const start = body.subarray(0, prescanBytes).toString('latin1');
  const inMeta = /<meta\b[^>]*?charset\s*=\s*["']?([^\s"'/>;]+)/i.exec(start)?.[1];
  // Who can read the name in ASCII does not read UTF-16 (HTML standard).
  const inPage = inMeta !== undefined && /^utf-?16/i.test(inMeta) ? 'utf-8' : inMeta;
  for (const label of [detectByteOrderMark(body), inHeader, inPage]) {
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
