/** Settings of a machine rather than of the instance: they may differ where a backup is restored. */
const machineSettings = new Set([
  'DATA_DIR',
  'DATABASE_DIRECT_URL',
  'DATABASE_POOL',
  'DATABASE_REPLICA_URLS',
  'DATABASE_URL',
  'FFMPEG',
  'HOST',
  'METRICS_PORT',
  'OUTGOING_PROXY',
  'PORT',
  'POSTGRES_BIN',
  'TRUSTED_PROXIES',
  'VALKEY_URL',
  'WEB_CLIENT_DIR',
]);

/** Formats settings as a `.env` file. Those of the machine are comments. */
export function formatSettings(settings: Readonly<Record<string, string>>): string {
  const names = Object.keys(settings).toSorted();
  const format = (name: string): string => `${name}=${quote(settings[name] ?? '')}`;
  const own = names.filter((name) => !machineSettings.has(name)).map(format);
  const others = names.filter((name) => machineSettings.has(name)).map((name) => `# ${format(name)}`);
  if (others.length > 0) others.unshift('', '# Of the machine that made the backup:');
  return ['# Settings of the backup. Compare them with .env of this machine.', ...own, ...others, ''].join('\n');
}

/** A value may contain any quotes but not all kinds: `.env` files have no escapes. */
function quote(value: string): string {
  const mark = [`'`, '"', '`'].find((quotes) => !value.includes(quotes)) ?? `'`;
  return `${mark}${value.replaceAll(/[\r\n]/g, ' ')}${mark}`;
}
