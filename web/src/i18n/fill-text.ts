const isolateStart = '\u2068';
const isolateEnd = '\u2069';

/**
 * Fills the parameters of a text, which are names in braces. In a right-to-left text each value is isolated, together
 * with an "@" or "#" before it, so that handles and domains keep their order.
 */
export function fillText(text: string, valueOf: (name: string) => string, isRightToLeft: boolean): string {
  if (!isRightToLeft) return text.replaceAll(/\{(\w+)\}/g, (_match, name: string) => valueOf(name));
  return text.replaceAll(
    /([@#]?)\{(\w+)\}/g,
    (_match, sign: string, name: string) => isolateStart + sign + valueOf(name) + isolateEnd,
  );
}
