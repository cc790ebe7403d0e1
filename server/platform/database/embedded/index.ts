// The embedded PostgreSQL: creates a cluster, starts and supervises its server, and finds one that another process runs.
export { clusterMajor, embeddedDataFolder } from './cluster.ts';
export { acquireClusterLock, findEmbeddedHolder, findRunningEmbedded } from './cluster-lock.ts';
export { EmbeddedError } from './error.ts';
export { findPrograms, newestMajor, requirePrograms, type Programs } from './programs.ts';
export { stopOrphans } from './orphans.ts';
export { upgradeFolders } from './upgrade-folders.ts';
export { startEmbedded, type EmbeddedServer } from './start.ts';
export { databaseUserName, isOwnedByNobody } from './user.ts';
