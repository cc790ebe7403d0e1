// Account data: users export what their account holds, request an archive of it, and import what another account held.
import type { Subscription } from '../platform/write/subscriptions.ts';
import type { Route } from '../platform/http/routes.ts';
import type { Schedule } from '../platform/work/run-schedules.ts';
import { buildArchive } from './archives/build-archive.ts';
import { deleteArchiveFiles } from './archives/delete-archive-files.ts';
import { archiveRoutes } from './archives/routes.ts';
import {
  cleanUpArchives,
  cleanUpImports,
  deleteAccountArchives,
  deleteAccountImports,
  deleteAccountPostImports,
} from './clean-up.ts';
import { exportRoutes } from './exports/routes.ts';
import { importRoutes } from './imports/routes.ts';
import { runImport } from './imports/run-import.ts';
import { postImportRoutes } from './post-imports/routes.ts';
import { importPostsSubscription } from './post-imports/run-post-import.ts';

export const routes: readonly Route[] = [...exportRoutes, ...archiveRoutes, ...importRoutes, ...postImportRoutes];

export const subscriptions: readonly Subscription[] = [
  runImport.subscription,
  deleteAccountImports,
  buildArchive.subscription,
  deleteArchiveFiles.subscription,
  deleteAccountArchives,
  importPostsSubscription,
  deleteAccountPostImports,
];

export const schedules: readonly Schedule[] = [cleanUpImports, cleanUpArchives];
