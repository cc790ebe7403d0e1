/** A JSON object of another server: nothing about it is believed before it has been read. */
export type Json = Readonly<Record<string, unknown>>;

const publicNames: ReadonlySet<string> = new Set([
  'https://www.w3.org/ns/activitystreams#Public',
  'as:Public',
  'Public',
]);

/** Most items that are read of any one list. */
const maxItems = 1000;
const maxUriLength = 2048;

export function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A property that may hold one thing or many, as a list without nulls. */
export function listOf(value: unknown): unknown[] {
  if (value === undefined || value === null) return [];
  return Array.isArray(value)
    ? value.slice(0, maxItems).filter((item) => item !== undefined && item !== null)
    : [value];
}

/** The id of a thing given as its id or as an object; undefined when it has none. */
export function idOf(value: unknown): string | undefined {
  const first = Array.isArray(value) ? value[0] : value;
  const id = isObject(first) ? first['id'] : first;
  return typeof id === 'string' && id !== '' && id.length <= maxUriLength ? id : undefined;
}

/** The ids of a property that may hold one thing or many. */
export function idsOf(value: unknown): string[] {
  return listOf(value)
    .map(idOf)
    .filter((id) => id !== undefined);
}

const activityStreamsPrefix = /^(?:as:|https?:\/\/www\.w3\.org\/ns\/activitystreams#)/;

/** The types of an object by their plain names. */
export function typesOf(value: unknown): string[] {
  if (!isObject(value)) return [];
  return listOf(value['type'])
    .filter((type) => typeof type === 'string')
    .map((type) => type.replace(activityStreamsPrefix, ''));
}

/** The first type that an object has, by its plain name. */
export function typeOf(value: unknown): string | undefined {
  return typesOf(value)[0];
}

/** A text property: `name`, else the first of `nameMap`. `most`: characters kept; longer texts are cut. */
export function textOf(object: Json, name: string, maxLength = 1_000_000): string | undefined {
  const direct = object[name];
  const value =
    typeof direct === 'string'
      ? direct
      : Array.isArray(direct)
        ? direct.find((item) => typeof item === 'string')
        : undefined;
  if (typeof value === 'string') return truncate(value, maxLength);
  const map = object[`${name}Map`];
  const translated = isObject(map) ? Object.values(map).find((item) => typeof item === 'string') : undefined;
  return typeof translated === 'string' ? truncate(translated, maxLength) : undefined;
}

/** The first language that a text is given in (`contentMap`, `summaryMap`, `nameMap`). */
export function languageOf(object: Json, ...names: string[]): string | undefined {
  for (const name of names) {
    const map = object[`${name}Map`];
    if (isObject(map)) return Object.keys(map).find((key) => /^[a-z]{2,3}(-[A-Za-z0-9-]+)?$/.test(key));
  }
  return undefined;
}

/** A moment; undefined when it cannot be read or lies outside of what a calendar holds. */
export function dateOf(value: unknown): Date | undefined {
  if (typeof value !== 'string' || value.length > 64) return undefined;
  const date = new Date(value);
  const year = date.getUTCFullYear();
  return year >= 1970 && year < 10_000 ? date : undefined;
}

export function booleanOf(value: unknown): boolean | undefined {
  return typeof value === 'boolean' ? value : undefined;
}

export function numberOf(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
}

/** An http or https address in a property that holds a text, a Link or a list of them; `type`: preferred media type. */
export function urlOf(value: unknown, type?: string): string | undefined {
  const links = listOf(value).map((item) =>
    isObject(item) ? { href: item['href'] ?? item['url'], type: item['mediaType'] } : { href: item, type: undefined },
  );
  const candidates = links.filter(({ href }) => isHttpUrl(href));
  const best =
    candidates.find((link) => type !== undefined && link.type === type) ??
    candidates.find((link) => link.type === undefined) ??
    candidates[0];
  return best?.href as string | undefined;
}

/** Says whether a value is an http or https address of bearable length, without user name or password. */
export function isHttpUrl(value: unknown): value is string {
  if (typeof value !== 'string' || value.length > maxUriLength || !URL.canParse(value)) return false;
  const { protocol, username, password } = new URL(value);
  return (protocol === 'https:' || protocol === 'http:') && username === '' && password === '';
}

/** Host with port of an address, lower case and punycode; undefined when it is no http or https address. */
export function hostOf(uri: string | undefined): string | undefined {
  return isHttpUrl(uri) ? new URL(uri).host.replace(/\.(?=:|$)/, '') : undefined;
}

/** Says whether two ids were made by the same server: only then one may speak about the other. */
export function isSameHost(a: string | undefined, b: string | undefined): boolean {
  const host = hostOf(a);
  return host !== undefined && host === hostOf(b);
}

/** Says whether an addressee stands for everybody, in any of its three spellings. */
export function isPublic(id: string): boolean {
  return publicNames.has(id);
}

function truncate(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text;
  const end = /[\uD800-\uDBFF]/.test(text.charAt(maxLength - 1)) ? maxLength - 1 : maxLength;
  return text.slice(0, end);
}
