// Account data: users export what their account holds, and import what another account held.
import type { Subscription } from '../platform/events/reactions.ts';
import type { Route } from '../platform/http/routes.ts';
import type { Schedule } from '../platform/jobs/run-schedules.ts';
import { cleanUpImports, deleteAccountImports } from './clean-up.ts';
import { exportRoutes } from './exports/routes.ts';
import { importRoutes } from './imports/routes.ts';
import { runImport } from './imports/run-import.ts';

export const routes: readonly Route[] = [...exportRoutes, ...importRoutes];

export const subscriptions: readonly Subscription[] = [runImport.subscription, deleteAccountImports];

export const schedules: readonly Schedule[] = [cleanUpImports];
