import { setTimeout as pause } from 'node:timers/promises';
import { sql, type QueryExecutorProvider } from 'kysely';
import { transaction } from '../../server/platform/write/transaction.ts';
import { measureUsage } from '../cpu.ts';
import type { NetworkCommand } from './network-process.ts';
import { networkDomain } from './peers.ts';
import { postAs, type FederationScene } from './scene.ts';
import { waitUntilIdle } from './wait-until-idle.ts';

/** How the connections to the hosts are before a post is delivered. */
export interface DeliveryCase {
  readonly name: string;
  /** Sent to the hosts before each post. */
  readonly prepare: NetworkCommand;
  /** Whether the hosts verify Ed25519 signatures. */
  readonly hasEd25519?: boolean;
  /** CPU in milliseconds. */
  readonly targetMs: number;
}

export const deliveryCases: readonly DeliveryCase[] = [
  { name: 'delivery, new TLS sessions', prepare: 'forget', targetMs: 0.8 },
  { name: 'delivery, TLS sessions resumed', prepare: 'disconnect', targetMs: 0.8 },
  { name: 'delivery, connections kept alive', prepare: 'reset', targetMs: 0.8 },
  { name: 'delivery, kept alive, signed with Ed25519', prepare: 'reset', hasEd25519: true, targetMs: 0.8 },
];

/** What a round of a case showed. */
export interface DeliveryResult {
  /** Milliseconds of CPU for each delivery; the posts are included. */
  readonly nodeMs: number;
  readonly postgresMs: number;
  readonly deliveriesPerSecond: number;
  readonly connectionsPerPost: number;
  readonly resumedPerPost: number;
  /** Share of the deliveries. */
  readonly http2: number;
}

/** Time in which the server notices that connections were closed. */
export const disconnectMs = 200;

/** Lets a server know whether the hosts of the network verify Ed25519, as if they had signed with it or not. */
export async function recordKeyTypes(db: QueryExecutorProvider, hasEd25519: boolean): Promise<void> {
  await sql`
    insert into hosts (domain, ed25519_until, created_at)
    select distinct domain, case when ${hasEd25519}::boolean then now() + interval '1 day' end, now()
    from accounts where domain like ${`%.${networkDomain}%`}
    on conflict (domain) do update set ed25519_until = excluded.ed25519_until`.execute(db);
}

/** Posts to all followers a few times, each time with connections in the state of the case. */
export async function measureDelivery(
  scene: FederationScene,
  server: number,
  { deliveryCase, posts }: { readonly deliveryCase: DeliveryCase; readonly posts: number },
): Promise<DeliveryResult> {
  const { app, network, origin, popular, size } = scene;
  const { hasEd25519 = false } = deliveryCase;
  await transaction(app, ({ db }) => recordKeyTypes(db, hasEd25519));
  const totals = { node: 0, postgres: 0, seconds: 0, connections: 0, resumed: 0, http2: 0 };
  for (let post = 0; post < posts; post += 1) {
    await network.command(deliveryCase.prepare);
    await pause(disconnectMs);
    await network.command('reset');
    const before = measureUsage(server);
    await postAs(origin, popular.token);
    await waitUntilIdle(app);
    const after = measureUsage(server);
    const counts = await network.command('counts');
    if (counts.received !== size.followers)
      throw new Error(`${counts.received} of ${size.followers} deliveries arrived`);
    totals.node += after.nodeMs - before.nodeMs;
    totals.postgres += after.postgresMs - before.postgresMs;
    totals.seconds += counts.seconds;
    totals.connections += counts.connections;
    totals.resumed += counts.resumed;
    totals.http2 += counts.http2;
  }
  const deliveries = posts * size.followers;
  return {
    nodeMs: totals.node / deliveries,
    postgresMs: totals.postgres / deliveries,
    deliveriesPerSecond: (deliveries - posts) / totals.seconds,
    connectionsPerPost: totals.connections / posts,
    resumedPerPost: totals.resumed / posts,
    http2: totals.http2 / deliveries,
  };
}
