import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseEnv } from 'node:util';
import { readFileSync } from 'node:fs';
import { redactSecrets } from './redact.ts';

/**
 * Every setting, once: its name in the environment and in `.env`, what it means, how it is read. docs/configuration.md
 * is generated from this table. What a person changes while the server runs (title, description, rules, contact,
 * registrations) lives in the database and wins over the environment.
 */
export const settings = {
  BASE_URL: defineSetting(
    'Public address of the server, as people type it. The domain of handles is its host, unless LOCAL_DOMAIN says otherwise. Never change it once others know the server. Without it, localhost and PORT.',
    'http://localhost:3000',
    parseUrl,
  ),
  LOCAL_DOMAIN: defineSetting(
    'Domain of handles (@someone@this.domain) when it is not the host of BASE_URL.',
    undefined,
    parseOptional(parseDomain),
  ),
  PORT: defineSetting('Port that the server listens on.', '3000', parsePort),
  HOST: defineSetting(
    'Address that the server listens on. `0.0.0.0` for all of IPv4, `::` for everything.',
    '127.0.0.1',
    parseText,
  ),
  DATA_DIR: defineSetting(
    'Folder of everything that the server keeps: the embedded PostgreSQL, media, mail, secrets.',
    'data',
    parseText,
  ),
  DATABASE_URL: defineSetting(
    'PostgreSQL 15 or newer to use in place of the embedded one: postgres://user:password@host/database. A connection pooler in between must keep one session per connection and pass on the startup parameter `options` (PgBouncer: `pool_mode = session`, not `ignore_startup_parameters = options`).',
    undefined,
    parseOptional(parseDatabaseUrl),
  ),
  DATABASE_POOL: defineSetting('Connections to PostgreSQL that one process keeps.', '10', parseInteger(2, 200)),
  VALKEY_URL: defineSetting(
    'Valkey or Redis 7 or newer, for messages and rate limits between several processes: redis://host:6379. Without it they go through PostgreSQL.',
    undefined,
    parseOptional(parseUrlOf('redis:', 'rediss:', 'valkey:', 'valkeys:')),
  ),
  SMTP_URL: defineSetting(
    'Mail server: smtp://user:password@host:587 or smtps://…. Without it messages are stored as .eml files in DATA_DIR/mail.',
    undefined,
    parseOptional(parseUrlOf('smtp:', 'smtps:')),
  ),
  MAIL_FROM: defineSetting('Sender of the mail that the server writes.', undefined, parseOptional(parseText)),
  REGISTRATIONS: defineSetting(
    'Who may sign up until staff change it: `open` (anyone), `approval` (staff approve each sign-up), `closed` (nobody).',
    'approval',
    parseOneOf('open', 'approval', 'closed'),
  ),
  PUBLIC_PREVIEW: defineSetting(
    'Whether visitors who are not signed in may read the public timelines.',
    'on',
    parseOnOff,
  ),
  SECURE_MODE: defineSetting(
    'Whether ActivityPub objects are given only to servers that sign their requests (authorized fetch).',
    'off',
    parseOnOff,
  ),
  LIMITED_FEDERATION: defineSetting(
    'Whether only servers allowed by staff may federate; also closes the API to the anonymous.',
    'off',
    parseOnOff,
  ),
  STREAMING_BASE_URL: defineSetting(
    'Address of the streaming service when it is not BASE_URL; streaming requests that reach BASE_URL are redirected to it.',
    undefined,
    parseOptional(parseUrlOf('http:', 'https:', 'ws:', 'wss:')),
  ),
  SEARCH_RESULTS_DEFAULT: defineSetting(
    'Number of results that a search gives when the client names none.',
    '20',
    parseInteger(1, 40),
  ),
  TRUSTED_PROXIES: defineSetting(
    'Addresses or ranges (comma separated) of the proxies whose X-Forwarded-For is believed.',
    'loopback',
    parseText,
  ),
  ALLOW_PRIVATE_ADDRESSES: defineSetting(
    'Whether the server may send requests to private addresses and over plain http. For tests and closed networks only.',
    'off',
    parseOnOff,
  ),
  RATE_LIMITS: defineSetting('`off` for load measurements only.', 'on', parseOnOff),
  S3_ENDPOINT: defineSetting(
    'Address of a service that speaks S3, for media in place of DATA_DIR/media: https://s3.eu-central-1.amazonaws.com. Needs the other S3 settings too.',
    undefined,
    parseOptional(parseUrlOf('http:', 'https:')),
  ),
  S3_BUCKET: defineSetting('Bucket for media.', undefined, parseOptional(parseText)),
  S3_REGION: defineSetting('Region of the bucket.', 'auto', parseText),
  S3_ACCESS_KEY_ID: defineSetting('Who uses the bucket.', undefined, parseOptional(parseText)),
  S3_SECRET_ACCESS_KEY: defineSetting('Secret of S3_ACCESS_KEY_ID.', undefined, parseOptional(parseText)),
  S3_PUBLIC_URL: defineSetting(
    'Address under which the files of the bucket are public, if they are. Without it the server passes them on.',
    undefined,
    parseOptional(parseUrlOf('http:', 'https:')),
  ),
  MEDIA_CACHE_SIZE: defineSetting(
    'Megabytes of files of other servers that are kept on disk, the least recently seen going first; 0 to send people to the other servers.',
    '2048',
    parseInteger(0, 1_000_000),
  ),
  FFMPEG: defineSetting(
    'Program that converts videos and sounds; `none` to take only what browsers play. Without it, ffmpeg from PATH or else the optional package node-av.',
    undefined,
    parseOptional(parseText),
  ),
  TRANSLATION_URL: defineSetting(
    'Service that translates public posts: the address of a LibreTranslate server, or of the API of DeepL when it is not the usual one. It may stand in a private network.',
    undefined,
    parseOptional(parseUrlOf('http:', 'https:')),
  ),
  TRANSLATION_BACKEND: defineSetting(
    'What TRANSLATION_URL speaks: `libretranslate` or `deepl`.',
    'libretranslate',
    parseOneOf('libretranslate', 'deepl'),
  ),
  TRANSLATION_KEY: defineSetting(
    'Key for the translation service. DeepL needs no TRANSLATION_URL with it.',
    undefined,
    parseOptional(parseText),
  ),
  MEDIA_DESCRIPTION_LIMIT: defineSetting(
    'Characters that the alternative text of a file may have.',
    '10000',
    parseInteger(1, 10_000),
  ),
  LOG_LEVEL: defineSetting(
    'How much is logged.',
    'info',
    parseOneOf('fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'),
  ),
} as const;

interface Setting<Value> {
  readonly description: string;
  readonly default: string | undefined;
  readonly parse: (value: string | undefined) => Value;
}

type SettingValues = {
  readonly [Name in keyof typeof settings]: (typeof settings)[Name] extends Setting<infer Value> ? Value : never;
};

/** The settings as the server uses them. */
export interface Config extends SettingValues {
  /** Domain of local handles: LOCAL_DOMAIN or the host (with port) of BASE_URL, in lower case. */
  readonly domain: string;
  /** BASE_URL without a slash at its end. */
  readonly baseUrl: string;
  /** Host (with port) of BASE_URL. */
  readonly webDomain: string;
  /** DATA_DIR as an absolute path. */
  readonly dataDir: string;
  /** True in tests and development: answers are checked against their schemas. */
  readonly validateResponses: boolean;
}

/** Thrown when settings cannot be used; names every wrong one in a line of its own. */
export class ConfigError extends Error {
  override name = 'ConfigError';
}

/**
 * Reads the settings from `.env` and the environment, which wins. Throws one ConfigError for everything that is wrong,
 * names in `.env` that are not settings included.
 */
export function loadConfig(
  environment: Record<string, string | undefined> = process.env,
  folder = process.cwd(),
): Config {
  const file = resolve(folder, '.env');
  const stored: Record<string, string | undefined> = existsSync(file) ? parseEnv(readFileSync(file, 'utf8')) : {};
  const unknown = Object.keys(stored).filter((name) => !Object.hasOwn(settings, name) && name !== 'NODE_ENV');
  const errors = unknown.map((name) => `${name} in ${file} is not a setting: see docs/configuration.md`);
  return parseConfig({ ...stored, ...environment }, folder, errors);
}

/**
 * Returns the settings that `given` names, the rest at their defaults. Throws one ConfigError for everything that is
 * wrong, after what the caller knows to be `alsoWrong`.
 */
export function parseConfig(
  given: Record<string, string | undefined>,
  folder = process.cwd(),
  otherErrors: readonly string[] = [],
): Config {
  const values: Record<string, unknown> = {};
  const errors = [...otherErrors, ...missingBucketSettings(given)];
  for (const [name, { default: defaultValue, parse }] of Object.entries<Setting<unknown>>(settings)) {
    const value = given[name]?.trim();
    try {
      values[name] = parse(value === undefined || value === '' ? defaultValue : value);
    } catch (error) {
      errors.push(`${name} ${(error as Error).message} (it is ${JSON.stringify(redactSecrets(value ?? ''))})`);
    }
  }
  if (errors.length > 0) throw new ConfigError(errors.join('\n'));
  const parsed = values as unknown as SettingValues;
  const usesLocalhost = (given['BASE_URL']?.trim() ?? '') === '' && parsed.PORT !== 0;
  const config: SettingValues = usesLocalhost ? { ...parsed, BASE_URL: `http://localhost:${parsed.PORT}` } : parsed;
  const webDomain = new URL(config.BASE_URL).host;
  return {
    ...config,
    webDomain,
    domain: config.LOCAL_DOMAIN ?? webDomain,
    baseUrl: config.BASE_URL,
    dataDir: resolve(folder, config.DATA_DIR),
    validateResponses: given['NODE_ENV'] === 'test' || given['NODE_ENV'] === 'development',
  };
}

const bucketSettings = ['S3_ENDPOINT', 'S3_BUCKET', 'S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY'];

/** What is missing for a bucket that some of the settings ask for. */
function missingBucketSettings(given: Record<string, string | undefined>): string[] {
  const isSet = (name: string): boolean => (given[name]?.trim() ?? '') !== '';
  const isConfigured = [...bucketSettings, 'S3_PUBLIC_URL'].some(isSet);
  const missing = isConfigured ? bucketSettings.filter((name) => !isSet(name)) : [];
  return missing.map((name) => `${name} must be set together with the other S3 settings`);
}

function defineSetting<Value>(
  description: string,
  defaultValue: string | undefined,
  parse: (value: string | undefined) => Value,
): Setting<Value> {
  return { description, default: defaultValue, parse };
}

function parseText(value: string | undefined): string {
  if (value === undefined) throw new Error('must not be empty');
  return value;
}

function parseOptional<Value>(
  parse: (value: string | undefined) => Value,
): (value: string | undefined) => Value | undefined {
  return (value) => (value === undefined ? undefined : parse(value));
}

function parseOneOf<const Values extends readonly string[]>(
  ...values: Values
): (value: string | undefined) => Values[number] {
  return (value) => {
    if (value === undefined || !values.includes(value)) throw new Error(`must be one of ${values.join(', ')}`);
    return value;
  };
}

function parseOnOff(value: string | undefined): boolean {
  if (['on', 'true', '1', 'yes'].includes(value ?? '')) return true;
  if (['off', 'false', '0', 'no'].includes(value ?? '')) return false;
  throw new Error('must be on or off');
}

function parseInteger(min: number, max: number): (value: string | undefined) => number {
  return (value) => {
    const number = Number(value);
    if (!Number.isInteger(number) || number < min || number > max)
      throw new Error(`must be a whole number from ${min} to ${max}`);
    return number;
  };
}

function parsePort(value: string | undefined): number {
  return parseInteger(0, 65_535)(value);
}

function parseUrl(value: string | undefined): string {
  const parsed = parseUrlOf('http:', 'https:')(value);
  const { pathname, search, hash } = new URL(parsed);
  if (pathname !== '/' || search !== '' || hash !== '')
    throw new Error('must be an address without a path, like https://example.org');
  return parsed.replace(/\/$/, '');
}

function parseUrlOf(...protocols: string[]): (value: string | undefined) => string {
  return (value) => {
    if (!URL.canParse(value ?? '') || !protocols.includes(new URL(value ?? '').protocol)) {
      throw new Error(
        `must be an address that begins with ${protocols.map((protocol) => `${protocol}//`).join(' or ')}`,
      );
    }
    return value ?? '';
  };
}

/** PostgreSQL's addresses need no host: it may be the folder of a socket, `postgres://user@/database?host=/folder`. */
function parseDatabaseUrl(value: string | undefined): string {
  parseUrlOf('postgres:', 'postgresql:')(value?.replace('@/', '@localhost/'));
  return value ?? '';
}

function parseDomain(value: string | undefined): string {
  if (!/^[a-z0-9.-]+(:\d+)?$/i.test(value ?? '')) throw new Error('must be a domain like example.org');
  return (value ?? '').toLowerCase();
}
