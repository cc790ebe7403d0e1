const alphabet = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';
const radix = BigInt(alphabet.length);
const digits = new Map([...alphabet].map((char, value) => [char, BigInt(value)]));

/** The multibase prefix of base58btc. */
const multibasePrefix = 'z';
/** Longer than any key or signature. The time grows with the square of the length. */
const maxLength = 128;

/** Encodes a key or signature in multibase, as base58btc. */
export function encodeMultibase(bytes: Buffer): string {
  const zeros = bytes.findIndex((byte) => byte !== 0);
  let text = '';
  for (let rest = BigInt(`0x0${bytes.toString('hex')}`); rest > 0n; rest /= radix)
    text = `${alphabet.charAt(Number(rest % radix))}${text}`;
  return `${multibasePrefix}${alphabet.charAt(0).repeat(zeros === -1 ? bytes.length : zeros)}${text}`;
}

/** Decodes a text in multibase. Returns undefined for other encodings than base58btc, and for long texts. */
export function decodeMultibase(text: unknown): Buffer | undefined {
  if (typeof text !== 'string' || text.length > maxLength || !text.startsWith(multibasePrefix)) return undefined;
  const chars = text.slice(multibasePrefix.length).split('');
  let value = 0n;
  for (const char of chars) {
    const digit = digits.get(char);
    if (digit === undefined) return undefined;
    value = value * radix + digit;
  }
  const hex = value === 0n ? '' : value.toString(16);
  const firstDigit = chars.findIndex((char) => char !== alphabet.charAt(0));
  const zeros = Buffer.alloc(firstDigit === -1 ? chars.length : firstDigit);
  return Buffer.concat([zeros, Buffer.from(hex.length % 2 === 0 ? hex : `0${hex}`, 'hex')]);
}
