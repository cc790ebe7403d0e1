import { toError } from './errors.ts';
import { redactSecrets } from './redact.ts';
import { parseServers } from './wire/database-address.ts';

/** A setting: what it is for, and how its text becomes a value. `parse` throws an Error whose message continues its name. */
export interface Setting<Value> {
  readonly description: string;
  readonly default: string | undefined;
  readonly parse: (value: string | undefined) => Value;
}

/** Parses each setting of a table. Adds a line to `errors` for each invalid one, which is missing from the values. */
export function parseSettings<Values>(
  table: Readonly<Record<string, Setting<unknown>>>,
  given: Record<string, string | undefined>,
  errors: string[],
  nameOf = (name: string): string => name,
): Values {
  const values: Record<string, unknown> = {};
  for (const [name, { default: defaultValue, parse }] of Object.entries(table)) {
    const value = given[nameOf(name)]?.trim();
    try {
      values[name] = parse(value === undefined || value === '' ? defaultValue : value);
    } catch (error) {
      errors.push(`${nameOf(name)} ${toError(error).message} (it is ${JSON.stringify(redactSecrets(value ?? ''))})`);
    }
  }
  return values as Values;
}

export function defineSetting<Value>(
  description: string,
  defaultValue: string | undefined,
  parse: (value: string | undefined) => Value,
): Setting<Value> {
  return { description, default: defaultValue, parse };
}

export function parseText(value: string | undefined): string {
  if (value === undefined) throw new Error('must not be empty');
  return value;
}

export function parseOptional<Value>(
  parse: (value: string | undefined) => Value,
): (value: string | undefined) => Value | undefined {
  return (value) => (value === undefined ? undefined : parse(value));
}

export function parseSecret(value: string | undefined): string {
  if (!/^[\x21-\x7e]{16,}$/.test(value ?? '')) throw new Error('must have at least 16 characters, without spaces');
  return value ?? '';
}

export function parseOneOf<const Values extends readonly string[]>(
  ...values: Values
): (value: string | undefined) => Values[number] {
  return (value) => {
    if (value === undefined || !values.includes(value)) throw new Error(`must be one of ${values.join(', ')}`);
    return value;
  };
}

export function parseOnOff(value: string | undefined): boolean {
  if (['on', 'true', '1', 'yes'].includes(value ?? '')) return true;
  if (['off', 'false', '0', 'no'].includes(value ?? '')) return false;
  throw new Error('must be on or off');
}

export function parseInteger(min: number, max: number): (value: string | undefined) => number {
  return (value) => {
    const number = Number(value);
    if (!Number.isInteger(number) || number < min || number > max)
      throw new Error(`must be a whole number from ${min} to ${max}`);
    return number;
  };
}

export function parseShare(value: string | undefined): number {
  const share = Number(value);
  if (!(share >= 0 && share <= 1)) throw new Error('must be a number from 0 to 1');
  return share;
}

/** Parses a list of the format of W3C Baggage, which OpenTelemetry uses for settings. */
export function parsePairs(value: string | undefined): Readonly<Record<string, string>> {
  const pairs = (value ?? '').split(',').filter((pair) => pair.trim() !== '');
  return Object.fromEntries(
    pairs.map((pair) => {
      const [, name = '', text = ''] = /^\s*([^\s=]+)\s*=\s*(.*?)\s*$/u.exec(pair) ?? [];
      if (name === '') throw new Error('must be a list like name=value,other=value');
      try {
        return [name, decodeURIComponent(text)];
      } catch {
        throw new Error('has a % that is not part of an escape such as %20');
      }
    }),
  );
}

export function parsePort(value: string | undefined): number {
  return parseInteger(0, 65_535)(value);
}

export function parseUrl(value: string | undefined): string {
  const parsed = parseUrlOf('http:', 'https:')(value);
  const { pathname, search, hash } = new URL(parsed);
  if (pathname !== '/' || search !== '' || hash !== '')
    throw new Error('must be an address without a path, like https://example.org');
  return parsed.replace(/\/$/, '');
}

export function parseProxyUrl(value: string | undefined): string {
  const proxy = parseUrlOf('http:', 'https:')(value);
  if (new URL(proxy).pathname !== '/') throw new Error('must be an address without a path, like http://proxy:3128');
  return proxy;
}

export function parseUrlOf(...protocols: string[]): (value: string | undefined) => string {
  return (value) => {
    if (!URL.canParse(value ?? '') || !protocols.includes(new URL(value ?? '').protocol)) {
      throw new Error(
        `must be an address that begins with ${protocols.map((protocol) => `${protocol}//`).join(' or ')}`,
      );
    }
    return value ?? '';
  };
}

export function parseDatabaseUrl(value: string | undefined): string {
  parseServers(value ?? '');
  return value ?? '';
}

export function parseDatabaseUrls(value: string | undefined): readonly string[] {
  const urls = (value ?? '').split(',').map((url) => url.trim());
  if (new Set(urls).size < urls.length) throw new Error('must not name a replica twice');
  return urls.map(parseDatabaseUrl);
}

export function parseDomain(value: string | undefined): string {
  if (!/^[a-z0-9.-]+(:\d+)?$/i.test(value ?? '')) throw new Error('must be a domain like example.org');
  return (value ?? '').toLowerCase();
}
