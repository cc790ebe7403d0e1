/** Returns the base64url token with another last character, which also differs in the bits that a decoder reads. */
export function forgedToken(token: string): string {
  return `${token.slice(0, -1)}${token.endsWith('A') ? 'w' : 'A'}`;
}
