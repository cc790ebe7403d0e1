// Instance: public data about this server: its description, limits, rules, statistics and known servers.
import type { Schedule } from '../platform/jobs/run-schedules.ts';
import { cleanUpSiteImages } from './images/clean-up-site-images.ts';

export { instanceStats, type InstanceStats } from './instance-stats.ts';
export { routes } from './routes.ts';
export { Instance, InstanceV1 } from './schema.ts';
export { apiVersion, fieldfareFeatures, versionForClients } from './versions.ts';

export const schedules: readonly Schedule[] = [cleanUpSiteImages];
