import type { FastifyRequest } from 'fastify';
import type { App } from '../app.ts';
import { defineChannel } from '../bus/channel.ts';
import type { AccountId } from '../ids.ts';
import { replicaReads } from '../replicas/metrics.ts';
import { readOnReplica } from '../replicas/readers.ts';
import { UserFacingError } from '../user-facing-error.ts';
import { DatabaseUnavailable } from '../wire/database-unavailable.ts';
import { findSessionSecret } from './cookies.ts';
import type { Exchange } from './handle-request.ts';
import { HttpResponse } from './http-response.ts';
import type { Params } from './parse-params.ts';
import { usesCookies, type Route } from './routes.ts';

/** A request that writes began or ended, with its viewer if that is known, and whether it concerns everyone. */
type WriteMessage = readonly [state: 'began' | 'ended', viewerId: AccountId | null, concernsEveryone: boolean];

/** Runs the handler with an App. */
type Run = (app: App) => unknown;

const writes = defineChannel<WriteMessage>('replicas:writes');

/** A page that begins at an older id has no posts that are still on their way to feeds, or to a replica. */
const minPageAgeMs = 60_000;

/** Runs the handler of a request on a replica if that may answer it, and records a write for later reads. */
export function runHandler({ app, route, request, caller }: Exchange, input: Params, run: Run): unknown {
  const { replicas } = app;
  if (replicas === undefined) return run(app);
  const { options, method } = route;
  const viewerId = caller?.viewer?.accountId;
  if (method !== 'GET') {
    const concernsNobody = viewerId === undefined && options.onlyAdds === true;
    return concernsNobody ? run(app) : recordWrite(app, { viewerId, onlyAdds: options.onlyAdds === true }, run);
  }
  if (!mayReadReplica(app, options, input) || hasUnknownViewer(app, options, request)) return run(app);
  // While the bus is interrupted, this process may not know of writes.
  const replica = app.bus.isInterrupted ? undefined : replicas.find(replicas.writes.neededBy(viewerId));
  replicaReads.increment(app, { database: replica?.name ?? 'primary' });
  if (replica === undefined) return run(app);
  return readOnReplica(app, { replica, run: async (reader) => run(reader), isDoubtful, isAnswer });
}

/** Whether the browser is signed in, on a route that finds the viewer by itself. */
const hasUnknownViewer = (app: App, { access }: Route['options'], { headers }: FastifyRequest): boolean =>
  usesCookies(access) && findSessionSecret(app, headers.cookie) !== undefined;

/** Something that a replica does not have yet. */
const isDoubtful = (result: unknown): boolean => result instanceof HttpResponse && result.status >= 400;

const isAnswer = (error: unknown): boolean =>
  error instanceof UserFacingError && !(error instanceof DatabaseUnavailable);

function mayReadReplica({ clock }: App, { readsReplica }: Route['options'], input: Params): boolean {
  if (readsReplica === 'unless resolving') return input['resolve'] !== true;
  if (readsReplica !== 'older pages') return readsReplica === 'always';
  const { max_id: maxId } = input;
  return typeof maxId === 'string' && Number(BigInt(maxId) >> 16n) < clock.now().getTime() - minPageAgeMs;
}

/** The response is sent when the other processes of the instance are on the way to know of the write. */
async function recordWrite(
  app: App,
  { viewerId, onlyAdds }: { viewerId: AccountId | undefined; onlyAdds: boolean },
  run: Run,
): Promise<unknown> {
  const isUnknown = viewerId === undefined;
  const concernsEveryone = isUnknown || !onlyAdds;
  writes.publish(app, ['began', viewerId ?? null, isUnknown]);
  try {
    return await run(app);
  } finally {
    writes.publish(app, ['ended', viewerId ?? null, concernsEveryone]);
    await app.bus.flush();
  }
}

/** Learns of the writes of all processes. No-op without replicas. */
export function receiveWrites(app: App): void {
  const moments = app.replicas?.writes;
  if (moments === undefined) return;
  writes.subscribe(app, ([state, viewerId, concernsEveryone]) => {
    if (viewerId !== null && state === 'began') moments.begin(viewerId);
    if (viewerId !== null && state === 'ended') moments.end(viewerId);
    if (concernsEveryone) moments.record();
  });
}
