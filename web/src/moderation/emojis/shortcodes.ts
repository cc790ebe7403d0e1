/** Bytes of an image that the server accepts as an emoji. */
const maxBytes = 262_144;
const types: readonly string[] = ['image/png', 'image/gif', 'image/webp'];
const maxShortcodeLength = 128;

/** Why an image cannot become an emoji. */
type UploadProblem = 'wrongType' | 'tooLarge' | 'wrongShortcode' | 'duplicate';

/** Returns a valid shortcode for a file, from its name: `Blob Cat@2x.png` becomes `Blob_Cat_2x`. May be empty. */
export function shortcodeFromFileName(name: string): string {
  const stem = name.replace(/\.[^.]*$/u, '').normalize('NFKD');
  return stem
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/[^a-zA-Z0-9_]+/gu, '_')
    .replaceAll(/^_+|_+$/gu, '')
    .slice(0, maxShortcodeLength);
}

/** Returns what keeps an image from becoming an emoji; undefined if nothing does. `others`: shortcodes beside it. */
export function findUploadProblem(
  { type, size }: Pick<File, 'type' | 'size'>,
  shortcode: string,
  others: readonly string[],
): UploadProblem | undefined {
  if (!types.includes(type)) return 'wrongType';
  if (size > maxBytes) return 'tooLarge';
  if (!/^[a-zA-Z0-9_]{2,128}$/u.test(shortcode)) return 'wrongShortcode';
  return others.includes(shortcode) ? 'duplicate' : undefined;
}
