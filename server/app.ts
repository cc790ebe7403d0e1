import { indexSubscriptions } from './platform/write/reactions.ts';
import type { Subscription } from './platform/write/subscriptions.ts';
import type { Schedule } from './platform/work/run-schedules.ts';
import { setTimeout as pause } from 'node:timers/promises';
import * as accountData from './account-data/index.ts';
import * as accounts from './accounts/index.ts';
import * as annualReports from './annual-reports/index.ts';
import * as announcements from './announcements/index.ts';
import * as bookmarks from './bookmarks/index.ts';
import * as cards from './cards/index.ts';
import * as collections from './collections/index.ts';
import * as conversations from './conversations/index.ts';
import * as drafts from './drafts/index.ts';
import * as emailSubscriptions from './email-subscriptions/index.ts';
import * as emojis from './emojis/index.ts';
import * as auxiliaryServices from './auxiliary-services/index.ts';
import * as federation from './federation/index.ts';
import * as filters from './filters/index.ts';
import * as groups from './groups/index.ts';
import * as hashtags from './hashtags/index.ts';
import * as instance from './instance/index.ts';
import * as interactions from './interactions/index.ts';
import * as invites from './invites/index.ts';
import * as lists from './lists/index.ts';
import * as measures from './measures/index.ts';
import * as media from './media/index.ts';
import * as moderation from './moderation/index.ts';
import * as moderationRules from './moderation-rules/index.ts';
import * as notifications from './notifications/index.ts';
import * as oauth from './oauth/index.ts';
import * as pages from './pages/index.ts';
import { type App } from './platform/app.ts';
import type { AnyCache } from './platform/write/subscriptions.ts';
import { buildApp, maxCloseMs, wakeChannel, type AppOptions } from './platform/create-app.ts';
import { documentationRoutes } from './platform/documentation/documentation-routes.ts';
import { deleteOldFetchBudgets } from './platform/outgoing/fetch-budget.ts';
import { healthRoutes } from './platform/http/health-routes.ts';
import type { MetricSource } from './platform/metrics/metric-source.ts';
import { metricsRoute } from './platform/metrics/metrics-route.ts';
import { platformSources } from './platform/metrics/platform-sources.ts';
import type { Route } from './platform/http/routes.ts';
import { createServer } from './platform/http/create-server.ts';
import type { ServerOptions } from './platform/http/server-options.ts';
import type { RequestTimeouts } from './platform/http/slow-requests.ts';
import { leaseHolder } from './platform/work/lease-holder.ts';
import { queueWorkers, requeueJobs } from './platform/work/job-queue.ts';
import { deleteOldSlots } from './platform/work/run-schedules.ts';
import { contractSchedule } from './platform/database/contract-schedule.ts';
import { queueProcesses } from './platform/work/queue-processes.ts';
import { queueOf } from './platform/work/queues.ts';
import { WorkerLoop, type Worker } from './platform/work/worker-loop.ts';
import { deleteRateCounts } from './platform/rate-limits/delete-rate-counts.ts';
import { cleanUpTemporaryFiles } from './platform/files/temporary-files.ts';
import { version } from './platform/version.ts';
import * as polls from './polls/index.ts';
import * as profiles from './profiles/index.ts';
import * as push from './push/index.ts';
import * as refreshes from './refreshes/index.ts';
import * as relationships from './relationships/index.ts';
import * as reports from './reports/index.ts';
import * as search from './search/index.ts';
import * as site from './site/index.ts';
import * as statuses from './statuses/index.ts';
import * as streaming from './streaming/index.ts';
import * as suggestions from './suggestions/index.ts';
import * as timelines from './timelines/index.ts';
import * as translation from './translation/index.ts';
import * as trends from './trends/index.ts';
import * as users from './users/index.ts';
import * as webhooks from './webhooks/index.ts';
import { hasPermission, type Permission } from './users/access/index.ts';
import { isAccessDenied, passesIpBlocks } from './users/ip-blocks/index.ts';

export { closeApp, type AppOptions } from './platform/create-app.ts';

/** The parts of a domain that the server uses. */
interface Domain {
  readonly routes?: readonly Route[];
  readonly subscriptions?: readonly Subscription[];
  readonly caches?: readonly AnyCache[];
  readonly schedules?: readonly Schedule[];
  readonly workers?: readonly Worker[];
  readonly metrics?: readonly MetricSource[];
}

/** Every domain, from the lowest to the highest. */
const domains: readonly Domain[] = [
  site,
  refreshes,
  media,
  emojis,
  accounts,
  moderationRules,
  users,
  oauth,
  relationships,
  filters,
  collections,
  cards,
  polls,
  statuses,
  drafts,
  bookmarks,
  hashtags,
  conversations,
  interactions,
  invites,
  lists,
  timelines,
  reports,
  groups,
  moderation,
  measures,
  notifications,
  announcements,
  trends,
  suggestions,
  annualReports,
  emailSubscriptions,
  translation,
  federation,
  auxiliaryServices,
  profiles,
  accountData,
  search,
  streaming,
  instance,
  push,
  webhooks,
  pages,
];

const domainRoutes = domains.flatMap(({ routes }) => routes ?? []);

/** Every route of the server. */
export const routes: readonly Route[] = [
  ...healthRoutes,
  metricsRoute,
  ...domainRoutes,
  ...documentationRoutes([...healthRoutes, ...domainRoutes], { version, describeScopes }),
];

function describeScopes(): Record<string, string> {
  return Object.fromEntries(
    oauth.allScopes.map((scope) => [scope, String(oauth.describeScope(scope)?.summary ?? scope)]),
  );
}

/** All workers of stored work. */
export const workers: readonly Worker[] = [...queueWorkers, ...domains.flatMap(({ workers }) => workers ?? [])];

/** The queues of all workers, by the names that the command line knows. */
export const workerQueues: readonly string[] = workers.map(queueOf);

export const schedules: readonly Schedule[] = [
  deleteOldSlots,
  contractSchedule,
  deleteOldFetchBudgets,
  deleteRateCounts,
  cleanUpTemporaryFiles,
  ...domains.flatMap(({ schedules }) => schedules ?? []),
];

/** What metrics show besides requests and the process itself. */
export const metricSources: readonly MetricSource[] = [
  ...platformSources,
  queueProcesses(workerQueues),
  ...domains.flatMap(({ metrics }) => metrics ?? []),
];

/** Every reaction and job handler of the server. */
export const subscriptions: readonly Subscription[] = domains.flatMap(({ subscriptions }) => subscriptions ?? []);
/** Every cache of the server. */
export const caches: readonly AnyCache[] = domains.flatMap((domain) => domain.caches ?? []);
const subscriptionIndex = indexSubscriptions(subscriptions, caches);

/** Builds the App of a server. The caller closes it with `closeApp`. */
export function createApp(parts: AppOptions): App {
  return buildApp(parts, { subscriptions: subscriptionIndex, isPartial: false });
}

/**
 * Starts the workers of this process: those of `queues`, or all. Returns a function that stops them: it claims nothing more,
 * waits up to `limitMs` for work in progress, frees the rest, and returns whether all of it ended.
 */
export async function startWorkers(
  app: App,
  queues?: readonly string[],
): Promise<(limitMs: number) => Promise<boolean>> {
  const loop = new WorkerLoop(
    app,
    workers.filter((worker) => queues?.includes(queueOf(worker)) !== false),
  );
  const holder = leaseHolder(app);
  await holder.start(workers, queues);
  await requeueJobs(app);
  const unsubscribe = app.bus.subscribe(wakeChannel, (names) => loop.wake(names as string[]));
  loop.start();
  return async (limitMs) => {
    unsubscribe();
    const hasFinished = await Promise.race([loop.stop().then(() => true), pause(limitMs, false, { ref: false })]);
    // If the database does not respond, other processes free the leases.
    await Promise.race([holder.stop(), pause(maxCloseMs, undefined, { ref: false })]);
    return hasFinished;
  };
}

/** What a process serves over HTTP. */
export interface HttpRoles {
  /** Pages, the API and ActivityPub. */
  readonly web: boolean;
  readonly streaming: boolean;
}

/** Creates the HTTP server of an App, not yet listening. */
export function createHttp(
  app: App,
  times?: RequestTimeouts,
  roles: HttpRoles = { web: true, streaming: true },
): ReturnType<typeof createServer> {
  const parts: ServerOptions = {
    routes: routesOf(roles),
    closeTakenOver: streaming.closeStreams,
    authenticate: oauth.authenticate,
    authenticateSession: oauth.authenticateSession,
    scopeAllows: oauth.scopeAllows,
    errorPage: pages.errorPage,
    isAccessDenied,
    passesBlocks: ({ viewer }) => viewer !== undefined && passesIpBlocks(viewer.roleId),
    hasPermission: (permissions, permission) => hasPermission({ permissions }, permission as Permission),
  };
  return createServer(app, parts, times);
}

function routesOf(roles: HttpRoles): readonly Route[] {
  if (roles.web && roles.streaming) return routes;
  if (roles.streaming) return [...healthRoutes, metricsRoute, ...streaming.routes];
  return [...routes.filter((route) => !streaming.routes.includes(route)), ...streaming.redirectRoutes];
}
