// Instance: public data about this server: its description, limits, rules, statistics and known servers.
import type { Subscription } from '../platform/write/subscriptions.ts';
import type { Schedule } from '../platform/work/run-schedules.ts';
import type { Route } from '../platform/http/routes.ts';
import { cleanUpSiteImages } from './images/clean-up-site-images.ts';
import { siteImageRoutes } from './images/routes.ts';
import { routes as publicRoutes } from './routes.ts';
import { deleteNextAccounts } from './self-destruct/self-destruct.ts';
import { settingsRoutes } from './settings/routes.ts';
import { staffCountRoutes } from './staff-counts/routes.ts';

export { instanceStats, type InstanceStats } from './instance-stats.ts';
export { Instance, InstanceV1 } from './schema.ts';
export { apiVersion, fieldfareFeatures, versionForClients } from './versions.ts';
export { caches } from './caches.ts';

export const routes: readonly Route[] = [...publicRoutes, ...settingsRoutes, ...siteImageRoutes, ...staffCountRoutes];

export const subscriptions: readonly Subscription[] = [deleteNextAccounts.subscription];

export const schedules: readonly Schedule[] = [cleanUpSiteImages];
