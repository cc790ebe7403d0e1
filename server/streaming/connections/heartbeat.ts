import { perApp, type App } from '../../platform/app.ts';
import { listActiveTokens } from '../../oauth/index.ts';
import { forEachInSlices } from '../../platform/batching/slices.ts';
import { reportTemporaryFailure } from '../../platform/temporary-failures.ts';
import type { CurrentUser } from '../../platform/http/routes.ts';
import { everyonePermissions } from '../../users/access/index.ts';
import type { StreamConnection } from './connection.ts';
import { slotCount, streamHub } from './hub.ts';

const tickMs = 1_000;

/** Checks connections while there are any: a thirtieth of them each second, so that many do not delay others. */
class Heartbeat {
  readonly #app: App;
  #timer: NodeJS.Timeout | undefined;
  #ticks = 0;

  constructor(app: App) {
    this.#app = app;
  }

  start(): void {
    this.#timer ??= setInterval(() => void this.tick(), tickMs).unref();
  }

  stop(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  /** Runs the checks of one second. */
  async tick(): Promise<void> {
    const hub = streamHub(this.#app);
    if (hub.size === 0) {
      this.stop();
      return;
    }
    const slot = this.#ticks % slotCount;
    this.#ticks += 1;
    const checked = [...hub.inSlot(slot)];
    await forEachInSlices(checked, (connection) => connection.heartbeat(true));
    await forEachInSlices([...hub.inSlot(slot + slotCount / 2)], (connection) => connection.heartbeat(false));
    await endInactive(this.#app, checked);
  }
}

const heartbeat = perApp((app) => new Heartbeat(app));

export const startHeartbeat = (app: App): void => heartbeat(app).start();
export const stopHeartbeat = (app: App): void => heartbeat(app).stop();

/** Runs the checks of one second, for tests. */
export const tickHeartbeat = (app: App): Promise<void> => heartbeat(app).tick();

/** Connections that one query checks. */
const batchSize = 1_000;

/**
 * Ends connections whose tokens are no longer valid, or whose users lost their role or permissions of it: a connection has
 * the rights with which it was opened. Events end them at once; this covers events that were lost while the bus was down.
 */
export async function endInactive(app: App, connections: readonly StreamConnection[]): Promise<void> {
  try {
    for (let start = 0; start < connections.length; start += batchSize) {
      await endInactiveBatch(app, connections.slice(start, start + batchSize));
    }
  } catch (error) {
    if (!reportTemporaryFailure(app, error)) app.log.error({ err: error }, 'the tokens of streams were not checked');
  }
}

async function endInactiveBatch(app: App, connections: readonly StreamConnection[]): Promise<void> {
  const ids = connections.map(({ user }) => user.tokenId);
  const active = await listActiveTokens(app, ids);
  const inactive = connections.filter(({ user: { tokenId, viewer } }) => {
    const role = active.get(tokenId);
    return role === undefined || role.roleId !== viewer.roleId || hasLostPermissions(viewer, role.permissions);
  });
  void streamHub(app).end(inactive, 'revoked');
}

/** Streams need none of the permissions that every user may have. */
const hasLostPermissions = (viewer: CurrentUser, current: bigint): boolean =>
  (viewer.permissions & ~current & ~everyonePermissions) !== 0n;
