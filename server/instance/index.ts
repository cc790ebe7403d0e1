// Instance: what this server tells about itself: its description, limits, rules, size, and the servers that it knows.
export { instanceStats, type InstanceStats } from './instance-stats.ts';
export { routes } from './routes.ts';
export { Instance, InstanceV1 } from './schema.ts';
export { apiVersion, versionForClients } from './versions.ts';
