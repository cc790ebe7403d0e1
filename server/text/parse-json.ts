/** Matches escapes that PostgreSQL cannot store, and any other escape, so that an escaped backslash is not misread. */
const escapes =
  /\\(?:(?<pair>u[dD][89abAB][\da-fA-F]{2}\\u[dD][c-fC-F][\da-fA-F]{2})|(?<lone>u[dD][89a-fA-F][\da-fA-F]{2})|(?<nul>u0000)|[^])/g;
const unsafeEscape = /\\u(?:0000|[dD][89a-fA-F])/;

/**
 * Parses foreign JSON. No text or key of the result contains NUL or a lone surrogate, which PostgreSQL cannot store:
 * NUL is removed, a lone surrogate becomes U+FFFD. Throws a SyntaxError.
 */
export function parseJson(text: string): unknown {
  const wellFormed = text.toWellFormed();
  return JSON.parse(unsafeEscape.test(wellFormed) ? cleanEscapes(wellFormed) : wellFormed);
}

function cleanEscapes(text: string): string {
  return text.replace(escapes, (escape, pair?: string, lone?: string, nul?: string) => {
    if (nul !== undefined) return '';
    return lone === undefined || pair !== undefined ? escape : String.raw`\ufffd`;
  });
}
