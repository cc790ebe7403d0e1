import { createRequire } from 'node:module';
import type * as ioredis from 'ioredis';

const require = createRequire(import.meta.url);

/**
 * Connects to Valkey or Redis and reconnects automatically, also if a command has no answer for four seconds, or if the
 * server has become a replica. While it is down a command waits at most two seconds, or fails at once without
 * `queueOffline`. Keys get `prefix`, so that several instances can share a server.
 */
export function connectValkey(url: string, { prefix = '', queueOffline = true } = {}): ioredis.Redis {
  // Loaded on demand: most servers do not need it.
  const { Redis: Client }: typeof ioredis = require('ioredis');
  const connection = new Client(url.replace(/^valkey/, 'redis'), {
    keyPrefix: prefix,
    enableOfflineQueue: queueOffline,
    maxRetriesPerRequest: 1,
    connectTimeout: 2_000,
    commandTimeout: 2_000,
    socketTimeout: 4_000,
    reconnectOnError: ({ message }) => message.startsWith('READONLY'),
    retryStrategy: (attempt) => Math.min(attempt * 100, 2_000),
  });
  // Failed commands reject; an unhandled error event would end the process.
  connection.on('error', () => undefined);
  return connection;
}

/** Returns the bytes of memory that a Valkey or Redis server uses; undefined while it is down. */
export async function measureValkey(url: string): Promise<number | undefined> {
  const connection = connectValkey(url);
  try {
    const [, bytes] = /^used_memory:(\d+)/mu.exec(await connection.info('memory')) ?? [];
    return bytes === undefined ? undefined : Number(bytes);
  } catch {
    return undefined;
  } finally {
    connection.disconnect();
  }
}

/** Returns the version of a Valkey or Redis server. Throws if it does not answer, or cannot be used. */
export async function checkValkey(url: string): Promise<string> {
  const connection = connectValkey(url);
  // Has the reason, unlike the failed command.
  const failure = new Promise<never>((_resolve, reject) => connection.once('error', reject));
  failure.catch(() => {});
  try {
    const info = await Promise.race([connection.info(), failure]);
    if (/^role:slave/mu.test(info)) throw new Error('it is a replica, which takes no writes');
    const [, mode] = /^(?:redis|server)_mode:(sentinel|cluster)/mu.exec(info) ?? [];
    if (mode !== undefined) throw new Error(`it runs as ${mode}, which Fieldfare does not understand`);
    const [, version = 'unknown'] = /^(?:valkey|redis)_version:(\S+)/mu.exec(info) ?? [];
    return version;
  } finally {
    connection.disconnect();
  }
}

/** Stores a value for a minute. Throws if the server does not answer, is full, or takes no writes for another reason. */
export async function writeToValkey(connection: ioredis.Redis): Promise<void> {
  await connection.set('check', '', 'EX', 60);
}
