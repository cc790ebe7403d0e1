/**
 * Text as it may be stored: line breaks are `\n`, and what no text column takes or no reader sees is gone (NUL and other
 * control characters, halves of surrogate pairs). Tabs stay.
 */
export function cleanText(text: string): string {
  return text
    .toWellFormed()
    .replaceAll('\r\n', '\n')
    .replaceAll('\r', '\n')
    .replace(/(?![\t\n])\p{Cc}/gu, '');
}
