const activityStreams = 'https://www.w3.org/ns/activitystreams';

/** A media type with its parameters: names in lower case, values without quotes. */
export interface MediaType {
  readonly type: string;
  readonly parameters: ReadonlyMap<string, string>;
}

/** Splits a header with media types, such as Accept, at commas outside of quotes. */
export function parseMediaTypes(field: string): MediaType[] {
  return split(field, ',')
    .map(parseMediaType)
    .filter(({ type }) => type !== '');
}

/**
 * Parses a media type with its parameters (RFC 9110 section 8.3.1). The first of several parameters with one name
 * counts.
 */
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
 * Whether a media type is that of ActivityStreams: `application/activity+json`, or `application/ld+json` with its URI
 * among the space-separated profiles. Plain JSON and JSON-LD are not, because an upload could have them.
 */
export function isActivityType(contentType: string | undefined): boolean {
  const { type, parameters } = parseMediaType(contentType ?? '');
  if (type === 'application/activity+json') return true;
  return type === 'application/ld+json' && isActivityProfile(parameters.get('profile'));
}

/** Whether the value of a `profile` parameter includes ActivityStreams. */
export function isActivityProfile(profile: string | undefined): boolean {
  return profile?.trim().split(/\s+/).includes(activityStreams) ?? false;
}

/** Splits a text at a separator outside of quotes, and trims the parts. */
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
