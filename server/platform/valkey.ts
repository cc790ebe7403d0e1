import { Redis } from 'ioredis';

/** A connection to Valkey or Redis that reconnects by itself; a command fails within a second or two when it is away. */
export function connectValkey(url: string): Redis {
  return new Redis(url.replace(/^valkey/, 'redis'), {
    maxRetriesPerRequest: 1,
    connectTimeout: 2_000,
    commandTimeout: 2_000,
    retryStrategy: (attempt) => Math.min(attempt * 100, 2_000),
  });
}
