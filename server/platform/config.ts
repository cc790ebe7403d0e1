import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseEnv } from 'node:util';
import { readFileSync } from 'node:fs';
import { UserFacingError } from './user-facing-error.ts';
import {
  defineSetting,
  parseDatabaseUrl,
  parseDatabaseUrls,
  parseDomain,
  parseInteger,
  parseOnOff,
  parseOneOf,
  parseOptional,
  parsePairs,
  parsePort,
  parseProxyUrl,
  parseSecret,
  parseSettings,
  parseShare,
  parseText,
  parseUrl,
  parseUrlOf,
  type Setting,
} from './parse-setting.ts';
import { isProviderSetting, parseProviderNames, parseProviders, type SignInProvider } from './sign-in-providers.ts';

/**
 * Every setting: its name in the environment and in `.env`, its description and its parser. docs/configuration.md is
 * generated from this table. What staff change while the server runs (title, description, rules, contact,
 * registrations) is stored in the database and overrides the environment.
 */
export const settings = {
  BASE_URL: defineSetting(
    'Public address of the server, as people type it. The domain of handles is its host, unless LOCAL_DOMAIN is set. Never change it once others know the server. Without it, localhost and PORT.',
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
    'Folder of all data of the server: the embedded PostgreSQL, media, mail, secrets.',
    'data',
    parseText,
  ),
  DATABASE_URL: defineSetting(
    'PostgreSQL 15 or newer to use in place of the embedded one: postgres://user:password@host/database. Several servers, of which the primary is used: postgres://user:password@host1:5432,host2:5432/database. It may be the address of a connection pooler such as PgBouncer if DATABASE_DIRECT_URL is set, too.',
    undefined,
    parseOptional(parseDatabaseUrl),
  ),
  DATABASE_DIRECT_URL: defineSetting(
    'The address of PostgreSQL itself, if DATABASE_URL is that of a connection pooler: for migrations, leases, notifications and backups, which need sessions of their own. With the same user and database.',
    undefined,
    parseOptional(parseDatabaseUrl),
  ),
  DATABASE_REPLICA_URLS: defineSetting(
    'Streaming replicas of the database of DATABASE_URL, separated by commas, that answer reads of timelines, profiles, threads, search and other servers. One address leads to one replica, with the same user and database; it may be that of a pooler if DATABASE_URL is, too. The same for every process.',
    undefined,
    parseOptional(parseDatabaseUrls),
  ),
  DATABASE_POOL: defineSetting(
    'Maximum number of connections to PostgreSQL per process, and to each replica.',
    '10',
    parseInteger(2, 200),
  ),
  POSTGRES_BIN: defineSetting(
    'Folder of the programs of a PostgreSQL (`postgres`, `initdb`) for the embedded database. It is used if it is newer than that of the npm package and of the same major version; a newer major version is for new databases and for `fieldfare db upgrade`. Without it, a newer PostgreSQL in the usual folders of Linux distributions and Homebrew is used, too.',
    undefined,
    parseOptional(parseText),
  ),
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
  MAIL_FROM: defineSetting('Sender address of mail.', undefined, parseOptional(parseText)),
  REGISTRATIONS: defineSetting(
    'Who may sign up until staff change it: `open` (anyone), `approval` (staff approve each sign-up), `closed` (nobody).',
    'approval',
    parseOneOf('open', 'approval', 'closed'),
  ),
  PUBLIC_PREVIEW: defineSetting(
    'Whether visitors who are not signed in may read the public timelines. `off` outweighs the settings of staff.',
    'on',
    parseOnOff,
  ),
  SECURE_MODE: defineSetting(
    'Whether ActivityPub objects are served only to signed requests (authorized fetch).',
    'off',
    parseOnOff,
  ),
  LIMITED_FEDERATION: defineSetting(
    'Whether only servers that staff allow may federate. Also closes the API to anonymous requests.',
    'off',
    parseOnOff,
  ),
  STREAMING_BASE_URL: defineSetting(
    'Address of the streaming service when it is not BASE_URL; streaming requests that reach BASE_URL are redirected to it.',
    undefined,
    parseOptional(parseUrlOf('http:', 'https:', 'ws:', 'wss:')),
  ),
  SEARCH_RESULTS_DEFAULT: defineSetting('Default number of search results.', '20', parseInteger(1, 40)),
  TRUSTED_PROXIES: defineSetting(
    'Addresses or ranges (comma separated) of trusted proxies, which set X-Forwarded-For.',
    'loopback',
    parseText,
  ),
  ALLOW_PRIVATE_ADDRESSES: defineSetting(
    'Whether the server may send requests to private addresses and over plain http. For tests and closed networks only.',
    'off',
    parseOnOff,
  ),
  OUTGOING_PROXY: defineSetting(
    'HTTP proxy for all requests to other servers, with CONNECT: http://user:password@proxy:3128. The proxy resolves names, and must itself refuse private addresses: only addresses without a name, other ports and names without a dot are still refused here. Services of other settings with private addresses, S3, mail and the databases are contacted directly.',
    undefined,
    parseOptional(parseProxyUrl),
  ),
  READ_OUTBOXES: defineSetting(
    'Whether older posts of remote accounts are fetched from their servers when users view or follow them.',
    'on',
    parseOnOff,
  ),
  REFRESH_COUNTS: defineSetting(
    'Whether the numbers of replies, boosts and favourites of remote posts are fetched from their servers when users view threads and profiles.',
    'on',
    parseOnOff,
  ),
  SIGN_IN_PROVIDERS: defineSetting(
    'Names of OpenID Connect providers that people sign in with, separated by commas, in the order of their buttons: `town` or `town,school`. Each needs its [settings](#settings-of-a-sign-in-provider). See [Sign-in](sign-in.md).',
    undefined,
    parseProviderNames,
  ),
  SIGN_IN: defineSetting(
    'How people sign in: `any` (by password, passkey or provider), or `oidc` (only with a provider of SIGN_IN_PROVIDERS). See [Sign-in](sign-in.md).',
    'any',
    parseOneOf('any', 'oidc'),
  ),
  RATE_LIMITS: defineSetting('Whether requests are rate limited. Use `off` for load tests only.', 'on', parseOnOff),
  S3_ENDPOINT: defineSetting(
    'Address of an S3-compatible service that stores media instead of DATA_DIR/media: https://s3.eu-central-1.amazonaws.com. Needs the other S3 settings too.',
    undefined,
    parseOptional(parseUrlOf('http:', 'https:')),
  ),
  S3_BUCKET: defineSetting('Bucket for media.', undefined, parseOptional(parseText)),
  S3_REGION: defineSetting('Region of the bucket.', 'auto', parseText),
  S3_ACCESS_KEY_ID: defineSetting('Access key of the bucket.', undefined, parseOptional(parseText)),
  S3_SECRET_ACCESS_KEY: defineSetting('Secret of S3_ACCESS_KEY_ID.', undefined, parseOptional(parseText)),
  S3_PUBLIC_URL: defineSetting(
    'Public address of the files in the bucket, if everyone may read them. Without it the server sends them itself. Do not let everyone list the bucket: files of private posts are protected by their random names.',
    undefined,
    parseOptional(parseUrlOf('http:', 'https:')),
  ),
  MEDIA_MOVE: defineSetting(
    'While the command `media move` moves media between DATA_DIR/media and the bucket: `to-bucket` or `to-disk`. New files go there, and each file is read from where it is. Remove it when the command is done.',
    undefined,
    parseOptional(parseOneOf('to-bucket', 'to-disk')),
  ),
  MEDIA_CACHE_SIZE: defineSetting(
    'Megabytes of remote files to cache on disk; least recently used files are evicted first. 0 redirects clients to the remote servers.',
    '2048',
    parseInteger(0, 1_000_000),
  ),
  FFMPEG: defineSetting(
    'Program that converts video and audio; `none` to accept only formats that browsers play. Without it, ffmpeg from PATH or else the optional package node-av.',
    undefined,
    parseOptional(parseText),
  ),
  TRANSLATION_URL: defineSetting(
    'Address of the service that translates public posts: a LibreTranslate server, or the DeepL API if it is not the default one. It may be in a private network.',
    undefined,
    parseOptional(parseUrlOf('http:', 'https:')),
  ),
  TRANSLATION_BACKEND: defineSetting(
    'API of TRANSLATION_URL: `libretranslate` or `deepl`.',
    'libretranslate',
    parseOneOf('libretranslate', 'deepl'),
  ),
  TRANSLATION_KEY: defineSetting(
    'API key of the translation service. With a key, DeepL needs no TRANSLATION_URL.',
    undefined,
    parseOptional(parseText),
  ),
  DONATION_CAMPAIGNS_URL: defineSetting(
    'Address of a service that returns donation campaigns, with the API of Mastodon, which apps show. It gets a number from 0 to 99 for each user, and the language. It may be in a private network.',
    undefined,
    parseOptional(parseUrlOf('http:', 'https:')),
  ),
  DONATION_CAMPAIGNS_ENVIRONMENT: defineSetting(
    'Passed to DONATION_CAMPAIGNS_URL as `environment`, such as `staging`.',
    undefined,
    parseOptional(parseText),
  ),
  MEDIA_DESCRIPTION_LIMIT: defineSetting(
    'Maximum length of the alternative text of a file, in characters.',
    '10000',
    parseInteger(1, 10_000),
  ),
  IMPORT_QUOTA: defineSetting(
    'Megabytes that imported posts of one person may take: the uploaded archive, and all media of imported posts. 0: posts cannot be imported.',
    '2048',
    parseInteger(0, 8_192),
  ),
  METRICS_PORT: defineSetting(
    'Port of HOST that serves metrics for Prometheus, `/health` and `/health/ready`, without a token: keep it closed to the internet. Each process needs its own.',
    undefined,
    parseOptional(parsePort),
  ),
  METRICS_TOKEN: defineSetting(
    'Token, at least 16 characters, with which `/metrics` of the server itself may be read: `Authorization: Bearer …`. Without it that path does not exist.',
    undefined,
    parseOptional(parseSecret),
  ),
  OTEL_EXPORTER_OTLP_ENDPOINT: defineSetting(
    'Address of an OpenTelemetry collector that receives traces by OTLP over HTTP, as JSON at `/v1/traces`: http://localhost:4318. Without it nothing is recorded.',
    undefined,
    parseOptional(parseUrlOf('http:', 'https:')),
  ),
  OTEL_EXPORTER_OTLP_HEADERS: defineSetting(
    'Headers for the collector, such as a token: name=value, separated by commas, with % escapes.',
    undefined,
    parsePairs,
  ),
  OTEL_SERVICE_NAME: defineSetting('Name of the server in traces.', 'fieldfare', parseText),
  OTEL_RESOURCE_ATTRIBUTES: defineSetting(
    'Further attributes of every trace: name=value, separated by commas, with % escapes.',
    undefined,
    parsePairs,
  ),
  OTEL_TRACES_SAMPLER: defineSetting(
    'Which traces are recorded: `always_on`, `always_off`, or `traceidratio` for the share OTEL_TRACES_SAMPLER_ARG. With `parentbased_` before it, jobs are recorded if what stored them is.',
    'parentbased_always_on',
    parseOneOf(
      'always_on',
      'always_off',
      'traceidratio',
      'parentbased_always_on',
      'parentbased_always_off',
      'parentbased_traceidratio',
    ),
  ),
  OTEL_TRACES_SAMPLER_ARG: defineSetting('Share of traces to record, from 0 to 1.', '1', parseShare),
  TRACEPARENT_FROM_PROXIES: defineSetting(
    'Whether the header `traceparent` of TRUSTED_PROXIES continues their trace. Only for proxies that replace the one of the client, who could otherwise choose what is recorded.',
    'off',
    parseOnOff,
  ),
  WEB_CLIENT_DIR: defineSetting(
    'Folder with the built web client, `none` to serve only pages without scripts, where profile, privacy, filters and blocks then need an app. Without it, web/dist of the installation. A folder without a build counts as `none`.',
    undefined,
    parseOptional(parseText),
  ),
  LOG_LEVEL: defineSetting(
    'Minimum level of log messages.',
    'info',
    parseOneOf('fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'),
  ),
} as const;

type SettingValues = {
  readonly [Name in keyof typeof settings]: (typeof settings)[Name] extends Setting<infer Value> ? Value : never;
};

/** The settings, with values derived from them. */
export interface Config extends SettingValues {
  /** Domain of local handles: LOCAL_DOMAIN or the host (with port) of BASE_URL, in lower case. */
  readonly domain: string;
  /** The providers of SIGN_IN_PROVIDERS. */
  readonly signInProviders: readonly SignInProvider[];
  /** BASE_URL without a trailing slash. */
  readonly baseUrl: string;
  /** Host (with port) of BASE_URL. */
  readonly webDomain: string;
  /** DATA_DIR as an absolute path. */
  readonly dataDir: string;
  /** WEB_CLIENT_DIR as an absolute path; undefined for `none`. */
  readonly webClientDir: string | undefined;
  /** True in tests and development: responses are checked against their schemas. */
  readonly validateResponses: boolean;
}

/** Thrown if settings are invalid. Its message has one line for each invalid setting. */
export class ConfigError extends UserFacingError {
  override name = 'ConfigError';
}

/**
 * Loads the settings from `.env` and the environment, which takes precedence. Throws one ConfigError for all invalid
 * settings and for unknown names in `.env`.
 */
export function loadConfig(
  environment: Record<string, string | undefined> = process.env,
  folder = process.cwd(),
): Config {
  const file = resolve(folder, '.env');
  const stored = readStored(file);
  const unknown = Object.keys(stored).filter((name) => !isSetting(name) && name !== 'NODE_ENV');
  const errors = unknown.map((name) => `${name} in ${file} is not a setting: see docs/configuration.md`);
  return parseConfig({ ...stored, ...environment }, folder, errors);
}

/** Returns the texts of all settings that `.env` or the environment sets, which takes precedence. */
export function listGivenSettings(
  environment: Record<string, string | undefined> = process.env,
  folder = process.cwd(),
): Record<string, string> {
  const given = { ...readStored(resolve(folder, '.env')), ...environment };
  return Object.fromEntries(
    Object.entries(given).filter((entry): entry is [string, string] => isSetting(entry[0]) && !!entry[1]),
  );
}

const isSetting = (name: string): boolean => Object.hasOwn(settings, name) || isProviderSetting(name);

function readStored(file: string): Record<string, string | undefined> {
  return existsSync(file) ? parseEnv(readFileSync(file, 'utf8')) : {};
}

/**
 * Returns the settings in `given`, with defaults for the rest. Throws one ConfigError for all invalid settings, after
 * the errors in `alsoWrong`.
 */
export function parseConfig(
  given: Record<string, string | undefined>,
  folder = process.cwd(),
  otherErrors: readonly string[] = [],
): Config {
  const isSet = (name: string): boolean => (given[name]?.trim() ?? '') !== '';
  const errors = [...otherErrors, ...missingBucketSettings(isSet), ...missingDatabaseUrl(isSet)];
  const parsed = parseSettings<SettingValues>(settings, given, errors);
  const signInProviders = parseProviders(parsed, given, errors);
  if (parsed.SIGN_IN === 'oidc' && !isSet('SIGN_IN_PROVIDERS'))
    errors.push('SIGN_IN must be any unless SIGN_IN_PROVIDERS names a provider (it is "oidc")');
  if (errors.length > 0) throw new ConfigError(errors.join('\n'));
  const usesLocalhost = (given['BASE_URL']?.trim() ?? '') === '' && parsed.PORT !== 0;
  const config: SettingValues = usesLocalhost ? { ...parsed, BASE_URL: `http://localhost:${parsed.PORT}` } : parsed;
  const webDomain = new URL(config.BASE_URL).host;
  return {
    ...config,
    signInProviders,
    webDomain,
    domain: config.LOCAL_DOMAIN ?? webDomain,
    baseUrl: config.BASE_URL,
    dataDir: resolve(folder, config.DATA_DIR),
    webClientDir: resolveWebClientDir(config.WEB_CLIENT_DIR, folder),
    validateResponses: given['NODE_ENV'] === 'test' || given['NODE_ENV'] === 'development',
  };
}

function resolveWebClientDir(given: string | undefined, folder: string): string | undefined {
  if (given === 'none') return undefined;
  if (given !== undefined) return resolve(folder, given);
  return fileURLToPath(new URL('../../web/dist', import.meta.url));
}

const bucketSettings = ['S3_ENDPOINT', 'S3_BUCKET', 'S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY'];

/** Returns an error for each S3 setting that is missing if others are set. */
function missingBucketSettings(isSet: (name: string) => boolean): string[] {
  const isConfigured = [...bucketSettings, 'S3_PUBLIC_URL', 'MEDIA_MOVE'].some(isSet);
  const missing = isConfigured ? bucketSettings.filter((name) => !isSet(name)) : [];
  return missing.map((name) => `${name} must be set together with the other S3 settings`);
}

/** Returns an error for each other address of the database that is set without DATABASE_URL. */
function missingDatabaseUrl(isSet: (name: string) => boolean): string[] {
  return ['DATABASE_DIRECT_URL', 'DATABASE_REPLICA_URLS']
    .filter((name) => isSet(name) && !isSet('DATABASE_URL'))
    .map((name) => `${name} must be set together with DATABASE_URL`);
}
