import { createRequire } from 'node:module';
import type * as ioredis from 'ioredis';

const require = createRequire(import.meta.url);

/**
 * A connection to Valkey or Redis that reconnects by itself. While it is away a command waits for it for two seconds at
 * most, or fails at once without `queueOffline`. All keys get `prefix` in front, so that several instances may share one
 * server.
 */
export function connectValkey(url: string, { prefix = '', queueOffline = true } = {}): ioredis.Redis {
  // Loaded on demand: most servers never need it.
  const { Redis: Client } = require('ioredis') as typeof ioredis;
  const connection = new Client(url.replace(/^valkey/, 'redis'), {
    keyPrefix: prefix,
    enableOfflineQueue: queueOffline,
    maxRetriesPerRequest: 1,
    connectTimeout: 2_000,
    commandTimeout: 2_000,
    retryStrategy: (attempt) => Math.min(attempt * 100, 2_000),
  });
  // Each command that fails tells its caller; unheard, the event would end the process.
  connection.on('error', () => undefined);
  return connection;
}
