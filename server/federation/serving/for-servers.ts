import { Type } from 'typebox';

/** Options of routes that other servers call: without a token or a general rate limit, and not part of the API. */
export const forServers = {
  access: 'anyone',
  response: Type.Unknown(),
  rateLimit: 'none',
  undocumented: true,
} as const;

/** Options of routes that serve documents. */
export const forReaders = { ...forServers, readsReplica: 'always' } as const;
