/**
 * Returns text as stored: line breaks are `\n`, and characters that no text column accepts or no reader sees are removed
 * (NUL and other control characters, lone surrogates). Tabs stay.
 */
export function cleanText(text: string): string {
  return text
    .toWellFormed()
    .replaceAll('\r\n', '\n')
    .replaceAll('\r', '\n')
    .replace(/(?![\t\n])\p{Cc}/gu, '');
}
