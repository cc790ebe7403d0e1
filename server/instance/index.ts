// Instance: public data about this server: its description, limits, rules, statistics and known servers.
export { instanceStats, type InstanceStats } from './instance-stats.ts';
export { routes } from './routes.ts';
export { Instance, InstanceV1 } from './schema.ts';
export { apiVersion, fieldfareFeatures, versionForClients } from './versions.ts';
