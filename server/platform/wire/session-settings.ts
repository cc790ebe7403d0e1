import type { Connection } from './pool.ts';

/** Settings of PostgreSQL for a session. Values have no spaces. */
export type SessionSettings = Readonly<Record<string, string>>;

/** Settings of sessions that serve requests and jobs. Their transactions are read-only unless they begin otherwise. */
export const servingSettings = (timeouts: {
  readonly statementMs: number;
  readonly lockMs: number;
}): SessionSettings => ({
  plan_cache_mode: 'force_generic_plan',
  jit: 'off',
  default_transaction_read_only: 'on',
  statement_timeout: String(timeouts.statementMs),
  lock_timeout: String(timeouts.lockMs),
  idle_in_transaction_session_timeout: '30000',
});

/** Settings of sessions that migrate, repair, back up or restore: they write, and nothing ends them. */
export const maintenanceSettings: SessionSettings = {
  default_transaction_read_only: 'off',
  statement_timeout: '0',
  lock_timeout: '0',
  idle_in_transaction_session_timeout: '0',
};

/** Returns an address whose sessions start with these settings, after those in its own `options`. */
export function withSettings(
  connection: Connection,
  settings: SessionSettings,
): Connection & { readonly options: string } {
  const { options, ...rest } = extractOptions(connection);
  const given = Object.entries(settings).map(([name, value]) => `-c ${name}=${value}`);
  return { ...rest, options: [options, ...given].join(' ').trim() };
}

/** Removes `options` from the address: pg would let them replace others. */
function extractOptions(connection: Connection): Connection & { readonly options: string } {
  const { connectionString } = connection;
  const [, options = ''] = /[?&]options=([^&#]*)/u.exec(connectionString ?? '') ?? [];
  if (connectionString === undefined || options === '') return { ...connection, options: '' };
  const rest = connectionString.replace(/([?&])options=[^&#]*&?/u, '$1');
  return { ...connection, connectionString: rest, options: decodeURIComponent(options.replaceAll('+', ' ')) };
}
