import { isObject } from './values.ts';

/**
 * Returns the canonical form of parsed JSON (RFC 8785): no spaces, and names in the order of their UTF-16 units. Texts and
 * numbers have the form that the RFC takes over from ECMAScript.
 */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map((item) => canonicalJson(item ?? null)).join(',')}]`;
  if (!isObject(value)) return JSON.stringify(value);
  const members = Object.entries(value)
    .filter(([, item]) => item !== undefined)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, item]) => `${JSON.stringify(name)}:${canonicalJson(item)}`);
  return `{${members.join(',')}}`;
}
