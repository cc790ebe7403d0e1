const activityStreams = 'https://www.w3.org/ns/activitystreams';

/** A media type with its parameters; names in lower case, values without their quotes. */
export interface MediaType {
  readonly type: string;
  readonly parameters: ReadonlyMap<string, string>;
}

/** Splits a field that lists media types, such as Accept; commas in quotes do not count. */
export function parseMediaTypes(field: string): MediaType[] {
  return split(field, ',')
    .map(parseMediaType)
    .filter(({ type }) => type !== '');
}

/** Parses a media type with its parameters (RFC 9110 section 8.3.1). Of a parameter that is there twice the first counts. */
export function parseMediaType(text: string): MediaType {
  const [type = '', ...rest] = split(text, ';');
  const parameters = new Map<string, string>();
  for (const part of rest) {
    const [, name, quoted, bare] = /^([^=\s"]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^"]*))$/s.exec(part) ?? [];
    if (name !== undefined && !parameters.has(name.toLowerCase()))
      parameters.set(name.toLowerCase(), quoted?.replaceAll(/\\(.)/gs, '$1') ?? bare ?? '');
  }
  return { type: type.toLowerCase(), parameters };
}

/**
 * Returns whether a media type is that of ActivityStreams: `application/activity+json`, or `application/ld+json` with its
 * URI among the profiles, which are separated by spaces. Plain JSON or JSON-LD is not: an upload could pass as it.
 */
export function isActivityType(contentType: string | undefined): boolean {
  const { type, parameters } = parseMediaType(contentType ?? '');
  if (type === 'application/activity+json') return true;
  return type === 'application/ld+json' && isActivityProfile(parameters.get('profile'));
}

/** Returns whether the value of a `profile` parameter names ActivityStreams. */
export function isActivityProfile(profile: string | undefined): boolean {
  return profile?.trim().split(/\s+/).includes(activityStreams) ?? false;
}

/** Splits at a separator outside of quotes, without surrounding space. */
function split(text: string, separator: ',' | ';'): string[] {
  const parts: string[] = [''];
  let isQuoted = false;
  for (let at = 0; at < text.length; at += 1) {
    const character = text.charAt(at);
    if (character === separator && !isQuoted) {
      parts.push('');
      continue;
    }
    const isEscape = isQuoted && character === '\\';
    if (character === '"') isQuoted = !isQuoted;
    parts[parts.length - 1] += isEscape ? text.slice(at, at + 2) : character;
    if (isEscape) at += 1;
  }
  return parts.map((part) => part.trim());
}
