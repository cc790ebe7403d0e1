// The embedded PostgreSQL: creates a cluster, starts and supervises its server, and finds one that another process runs.
export { embeddedDataFolder } from './cluster.ts';
export { findEmbeddedHolder, findRunningEmbedded } from './cluster-lock.ts';
export { EmbeddedError } from './error.ts';
export { startEmbedded, type EmbeddedServer } from './start.ts';
export { databaseUserName, isOwnedByNobody } from './user.ts';
