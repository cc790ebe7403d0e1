const maxLength = 32_768;

/** Parses the JSON of a credential that a browser sent; undefined if it is no object. The library checks its members. */
export function parseCredential<Credential extends { readonly id: string }>(text: string): Credential | undefined {
  if (text.length > maxLength) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    const isCredential = typeof value === 'object' && value !== null && 'id' in value && typeof value.id === 'string';
    return isCredential ? (value as Credential) : undefined;
  } catch {
    return undefined;
  }
}
