const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz#$%*+,-.:;=?@[]^_{|}~';
/** In each direction. Clients render no more (reference/federation.tsv). */
const maxComponents = 5;

/** Returns whether a text is a blurhash that clients can render: valid digits and length, at most 5 by 5 components. */
export function isBlurhash(text: string): boolean {
  const first = digits.indexOf(text.charAt(0));
  if (text.length < 6 || first < 0) return false;
  const [across, down] = [(first % 9) + 1, Math.floor(first / 9) + 1];
  if (across > maxComponents || down > maxComponents) return false;
  return text.length === 4 + 2 * across * down && [...text].every((digit) => digits.includes(digit));
}
