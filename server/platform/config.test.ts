import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ConfigError, loadConfig, parseConfig, settings } from './config.ts';
import { parseServers } from './wire/database-address.ts';

test('without any setting the configuration is complete for one machine', () => {
  const config = parseConfig({}, '/srv/fieldfare');
  expect(config.baseUrl).toBe('http://localhost:3000');
  expect(config.domain).toBe('localhost:3000');
  expect(config.dataDir).toBe('/srv/fieldfare/data');
  expect(config.DATABASE_URL).toBeUndefined();
  expect(config.PUBLIC_PREVIEW).toBe(true);
  expect(config.SECURE_MODE).toBe(false);
  expect(config.SEARCH_RESULTS_DEFAULT).toBe(20);
});

test('handles end in the host of BASE_URL unless LOCAL_DOMAIN is set', () => {
  expect(parseConfig({ BASE_URL: 'https://Social.Example.org/' }).domain).toBe('social.example.org');
  const split = parseConfig({ BASE_URL: 'https://social.example.org', LOCAL_DOMAIN: 'Example.org' });
  expect(split.domain).toBe('example.org');
  expect(split.webDomain).toBe('social.example.org');
  expect(split.baseUrl).toBe('https://social.example.org');
});

test('without BASE_URL the URL uses PORT', () => {
  expect(parseConfig({ PORT: '4000' }).baseUrl).toBe('http://localhost:4000');
  expect(parseConfig({ PORT: '4000', BASE_URL: 'https://a.test' }).baseUrl).toBe('https://a.test');
  expect(parseConfig({ PORT: '0' }).baseUrl).toBe('http://localhost:3000');
});

test('OPS-01: all invalid settings are reported together, in one line each, with what is valid', () => {
  const wrong = {
    PORT: '99999',
    LOG_LEVEL: 'loud',
    BASE_URL: 'https://a.test/path',
    DATABASE_URL: 'mysql://x',
    RATE_LIMITS: 'maybe',
  };
  expect(() => parseConfig(wrong)).toThrow(ConfigError);
  const lines = messageOf(() => parseConfig(wrong)).split('\n');
  expect(lines.map((line) => line.split(' ', 1)[0]).toSorted()).toEqual(Object.keys(wrong).toSorted());
  expect(lines).toContain('PORT must be a whole number from 0 to 65535 (it is "99999")');
});

test('DATABASE_URL may name the folder of a socket instead of a host', () => {
  for (const DATABASE_URL of ['postgres://a@/b?host=/run/postgresql', 'postgresql:///b?host=/run/postgresql']) {
    expect(parseConfig({ DATABASE_URL }).DATABASE_URL).toBe(DATABASE_URL);
  }
});

test('DATABASE_URL may list several servers, of which one accepts writes', () => {
  for (const name of ['DATABASE_URL', 'DATABASE_DIRECT_URL'] as const) {
    const parse = (address: string) => parseConfig({ DATABASE_URL: 'postgres://a@b/c', [name]: address })[name];
    const valid = ['postgres://a:b%40@one:5432,two/c', 'postgresql://one,[::1]:5433/c?target_session_attrs=read-write'];
    for (const address of valid) expect(parse(address)).toBe(address);
    const wrong: [address: string, message: string][] = [
      ['postgres://one,/c', 'must list several servers as user@host1:5432,host2:5432/database'],
      ['postgres:///c?host=one,two', 'must list several servers as user@host1:5432,host2:5432/database'],
      ['postgres://one,two:no/c', 'must be an address that begins with postgres:// or postgresql://'],
      ['postgres://one/c?target_session_attrs=any', 'must have target_session_attrs=read-write, or leave it out'],
    ];
    for (const [address, message] of wrong)
      expect(messageOf(() => parse(address))).toBe(`${name} ${message} (it is ${JSON.stringify(address)})`);
  }
});

test('the servers of an address have their hosts and ports', () => {
  const servers = parseServers('postgres://a:b%2C@one:5433,[::1]/c?sslmode=disable');
  expect(servers.map(({ host, port }) => [host, port])).toEqual([
    ['one', 5433],
    ['::1', 5432],
  ]);
  expect(servers[1]?.connectionString).toBe('postgres://a:b%2C@[::1]/c?sslmode=disable');
  expect(parseServers('postgres://a@one/c')).toEqual([]);
  expect(parseServers('postgres://a@one/c?target_session_attrs=primary')).toHaveLength(1);
});

test('an empty or blank setting counts as not set', () => {
  const config = parseConfig({ PORT: '', DATABASE_URL: '  ', REGISTRATIONS: '' });
  expect(config.PORT).toBe(3000);
  expect(config.DATABASE_URL).toBeUndefined();
  expect(config.REGISTRATIONS).toBe('approval');
});

test('a switch accepts the usual words', () => {
  for (const word of ['on', 'true', '1', 'yes']) expect(parseConfig({ SECURE_MODE: word }).SECURE_MODE).toBe(true);
  for (const word of ['off', 'false', '0', 'no']) expect(parseConfig({ SECURE_MODE: word }).SECURE_MODE).toBe(false);
});

test('.env is read, and the environment overrides it', () => {
  const folder = mkdtempSync(join(tmpdir(), 'ff-config-'));
  try {
    writeFileSync(
      join(folder, '.env'),
      'PORT=4001\nMAIL_FROM="Fieldfare <no-reply@a.test>" # the sender\nLOG_LEVEL=debug\n',
    );
    const config = loadConfig({ PORT: '4002' }, folder);
    expect(config.PORT).toBe(4002);
    expect(config.MAIL_FROM).toBe('Fieldfare <no-reply@a.test>');
    expect(config.LOG_LEVEL).toBe('debug');
    expect(config.dataDir).toBe(join(folder, 'data'));
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('OPS-01: an unknown name in .env is reported with the invalid settings', () => {
  const folder = mkdtempSync(join(tmpdir(), 'ff-config-'));
  try {
    writeFileSync(
      join(folder, '.env'),
      'SMPT_URL=smtp://a.test\nPORT=x\nS3_BUCKET=media\nS3_ENDPOINT=https://s3.test\n',
    );
    const lines = messageOf(() => loadConfig({ SOMETHING_ELSE: '1' }, folder)).split('\n');
    expect(lines.map((line) => line.split(' ', 1)[0])).toEqual([
      'SMPT_URL',
      'S3_ACCESS_KEY_ID',
      'S3_SECRET_ACCESS_KEY',
      'PORT',
    ]);
    expect(lines[0]).toContain('is not a setting');
    expect(() => loadConfig({ PORT: '80', S3_ACCESS_KEY_ID: 'a', S3_SECRET_ACCESS_KEY: 'b' }, folder)).toThrow(
      /^SMPT_URL in [^\n]*$/,
    );
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('a password in an invalid setting is not repeated', () => {
  const message = messageOf(() => parseConfig({ DATABASE_URL: 'mysql://me:hunter2@db.test/x' }));
  expect(message).toContain('DATABASE_URL must be');
  expect(message).not.toContain('hunter2');
});

test('OPS-01: every setting has a description', () => {
  for (const [name, { description }] of Object.entries(settings)) {
    expect(description, name).toMatch(/^(?:\p{Lu}|`).*[.…]$/u);
  }
  expect(Object.keys(settings)).toEqual(Object.keys(settings).filter((name) => /^[A-Z0-9_]+$/.test(name)));
});

function messageOf(run: () => unknown): string {
  try {
    run();
  } catch (error) {
    return (error as Error).message;
  }
  return '';
}

const townSettings = {
  SIGN_IN_PROVIDERS: 'town',
  OIDC_TOWN_ISSUER: 'https://id.test/realms/town/',
  OIDC_TOWN_CLIENT_ID: 'fieldfare',
};

test('each provider to sign in with has settings of its own', () => {
  const { signInProviders } = parseConfig({
    ...townSettings,
    SIGN_IN_PROVIDERS: ' school, town',
    OIDC_SCHOOL_ISSUER: 'http://localhost:8080',
    OIDC_SCHOOL_CLIENT_ID: 'x',
    OIDC_SCHOOL_LABEL: 'The school',
    OIDC_SCHOOL_ROLES: 'cn=staff%2Cou=groups=Moderator, it=admin',
  });
  expect(signInProviders).toMatchObject([
    { name: 'school', label: 'The school', issuer: 'http://localhost:8080', SIGN_UP: 'site' },
    { name: 'town', label: 'town', ISSUER: 'https://id.test/realms/town/', issuer: 'https://id.test/realms/town' },
  ]);
  expect([...(signInProviders[0]?.ROLES ?? [])]).toEqual([
    ['cn=staff,ou=groups', 'moderator'],
    ['it', 'admin'],
  ]);
  expect(parseConfig({}).signInProviders).toEqual([]);
});

test.each<[change: Record<string, string>, message: string]>([
  [{ SIGN_IN_PROVIDERS: 'Town' }, 'SIGN_IN_PROVIDERS must be a list of names of lower-case letters'],
  [{ SIGN_IN_PROVIDERS: 'town,town' }, 'SIGN_IN_PROVIDERS must not name a provider twice'],
  [{ SIGN_IN_PROVIDERS: 'town,school' }, 'OIDC_SCHOOL_ISSUER must be an address'],
  [{ SIGN_IN_PROVIDERS: '' }, 'OIDC_TOWN_ISSUER belongs to no provider of SIGN_IN_PROVIDERS'],
  [{ OIDC_TOWN_ISSUER: 'http://id.test' }, 'OIDC_TOWN_ISSUER must begin with https:// unless ALLOW_PRIVATE_ADDRESSES'],
  [{ OIDC_TOWN_ISSUER: 'https://a:b@id.test' }, 'OIDC_TOWN_ISSUER must be an address without a password'],
  [{ OIDC_TOWN_CLIENT_ID: '' }, 'OIDC_TOWN_CLIENT_ID must not be empty'],
  [{ OIDC_TOWN_SCOPES: 'profile' }, 'OIDC_TOWN_SCOPES must contain openid'],
  [{ OIDC_TOWN_SIGN_UP: 'maybe' }, 'OIDC_TOWN_SIGN_UP must be one of site, open, approval, closed'],
  [{ OIDC_TOWN_ROLES: 'it' }, 'OIDC_TOWN_ROLES must be a list like group=role'],
  [{ OIDC_TOWN_ROLES: 'it=Owner' }, 'OIDC_TOWN_ROLES must not assign the role owner'],
  [{ OIDC_TOWN_ROLES: 'it=admin,it=moderator' }, 'OIDC_TOWN_ROLES must not name a group twice'],
])('wrong settings of a provider are one line each: %o', (change, message) => {
  const lines = messageOf(() => parseConfig({ ...townSettings, ...change })).split('\n');
  expect(
    lines.some((line) => line.startsWith(message)),
    lines.join('\n'),
  ).toBe(true);
});

test('two providers have two issuers, and an error shows no password', () => {
  const twice = { OIDC_B_ISSUER: 'https://id.test/realms/town', OIDC_B_CLIENT_ID: 'b', SIGN_IN_PROVIDERS: 'town,b' };
  expect(messageOf(() => parseConfig({ ...townSettings, ...twice }))).toBe(
    'OIDC_B_ISSUER must not be that of another provider',
  );
  const secret = { ...townSettings, OIDC_TOWN_ISSUER: 'https://a:hidden-word@id.test' };
  expect(messageOf(() => parseConfig(secret))).not.toContain('hidden-word');
});
