import { findLanguage } from '../../text/languages/index.ts';

/** An untrusted JSON object from another server. */
export type Json = Readonly<Record<string, unknown>>;

const publicNames: ReadonlySet<string> = new Set([
  'https://www.w3.org/ns/activitystreams#Public',
  'as:Public',
  'Public',
]);

/** Maximum number of items that are read of a list. */
const maxItems = 1000;
const maxUriLength = 2048;

export function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Returns the values of a property, single or repeated, without nulls. */
export function listOf(value: unknown): unknown[] {
  if (value === undefined || value === null) return [];
  return Array.isArray(value)
    ? value.slice(0, maxItems).filter((item) => item !== undefined && item !== null)
    : [value];
}

/** Returns the id of a value that is an id or an object; undefined if it has none. */
export function idOf(value: unknown): string | undefined {
  const first = Array.isArray(value) ? value[0] : value;
  const id = isObject(first) ? first['id'] : first;
  return typeof id === 'string' && id !== '' && id.length <= maxUriLength ? id : undefined;
}

/** Returns the ids of the values of a property. */
export function idsOf(value: unknown): string[] {
  return listOf(value)
    .map(idOf)
    .filter((id) => id !== undefined);
}

const activityStreamsPrefix = /^(?:as:|https?:\/\/www\.w3\.org\/ns\/activitystreams#)/;

/** Returns the types of an object without prefixes. */
export function typesOf(value: unknown): string[] {
  if (!isObject(value)) return [];
  return listOf(value['type'])
    .filter((type) => typeof type === 'string')
    .map((type) => type.replace(activityStreamsPrefix, ''));
}

/** Returns the first type of an object without prefix. */
export function typeOf(value: unknown): string | undefined {
  return typesOf(value)[0];
}

/** Returns a text property: `name`, else the first of `nameMap`. Truncates it to `maxLength` UTF-16 units. */
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

/**
 * Returns the language of the first of these texts that declares one (`contentMap`, `summaryMap`, `nameMap`), as it is listed:
 * that of the same text as the property, else the first that is listed.
 */
export function languageOf(object: Json, ...names: string[]): string | undefined {
  for (const name of names) {
    const map = object[`${name}Map`];
    const entries = isObject(map) ? Object.entries(map).slice(0, maxItems) : [];
    const same = entries.filter(([, text]) => text === object[name]);
    const language = [...same, ...entries].map(([tag]) => findLanguage(tag)).find((found) => found !== undefined);
    if (language !== undefined) return language;
  }
  return undefined;
}

/** Parses a time; returns undefined if it is invalid or outside the years 1970 to 9999. */
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

/** Parses a duration of ISO 8601 without years and months, as `PT1H2M3.5S`, or a number of seconds, into seconds. */
export function durationOf(value: unknown): number | undefined {
  const match =
    typeof value === 'string'
      ? /^P(?:(\d{1,3})D)?(?:T(?:(\d{1,5})H)?(?:(\d{1,6})M)?(?:(\d{1,8}(?:\.\d{1,6})?)S)?)?$/.exec(value)
      : null;
  if (match === null) return numberOf(value);
  const [days, hours, minutes, seconds] = match.slice(1).map((part) => Number(part ?? 0));
  return (((days ?? 0) * 24 + (hours ?? 0)) * 60 + (minutes ?? 0)) * 60 + (seconds ?? 0);
}

/** Returns an http(s) URL from a property that holds a text, a Link or a list of them. `type`: preferred media type. */
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

/** Whether a value is an http(s) URL of limited length without username and password. */
export function isHttpUrl(value: unknown): value is string {
  if (typeof value !== 'string' || value.length > maxUriLength || !URL.canParse(value)) return false;
  const { protocol, username, password } = new URL(value);
  return (protocol === 'https:' || protocol === 'http:') && username === '' && password === '';
}

/** Returns the host with port of an http(s) URL in lower case and punycode; undefined for other values. */
export function hostOf(uri: string | undefined): string | undefined {
  return isHttpUrl(uri) ? new URL(uri).host.replace(/\.(?=:|$)/, '') : undefined;
}

/** Whether two ids have the same host. Only the host of an id is authoritative for its object. */
export function isSameHost(a: string | undefined, b: string | undefined): boolean {
  const host = hostOf(a);
  return host !== undefined && host === hostOf(b);
}

/** Whether an addressee is the public collection, in any of its three spellings. */
export function isPublic(id: string): boolean {
  return publicNames.has(id);
}

function truncate(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text;
  const end = /[\uD800-\uDBFF]/.test(text.charAt(maxLength - 1)) ? maxLength - 1 : maxLength;
  return text.slice(0, end);
}
