import { setTimeout as pause } from 'node:timers/promises';
import { sql } from 'kysely';
import type { App } from '../server/platform/app.ts';
import { measureUsage } from './cpu.ts';
import type { MeasuredServer } from './measure.ts';
import type { Scene } from './scene.ts';

/** What it takes to post to very many followers. */
export interface StarPostResult {
  readonly followers: number;
  /** Milliseconds until the answer. */
  readonly responseMs: number;
  /** Milliseconds until the last feed had it. */
  readonly fanOutMs: number;
  /** Milliseconds of CPU for all of it. */
  readonly cpuMs: number;
}

/** Posts as the star several times. Returns the slowest result. */
export async function measureStarPost(app: App, server: MeasuredServer, scene: Scene): Promise<StarPostResult> {
  const posts: StarPostResult[] = [];
  for (let round = 0; round < 5; round += 1) posts.push(await postOnce(app, server, scene));
  return posts.toSorted((a, b) => b.fanOutMs - a.fanOutMs)[0] as StarPostResult;
}

async function postOnce(app: App, server: MeasuredServer, { star, starFollowers }: Scene): Promise<StarPostResult> {
  const before = measureUsage(...server.processIds);
  const began = performance.now();
  const answer = await fetch(`${server.origin}/api/v1/statuses`, {
    method: 'POST',
    headers: { authorization: `Bearer ${star.token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ status: 'Hello to all of you!' }),
  });
  const { id } = (await answer.json()) as { id: string };
  const answered = performance.now() - began;
  for (;;) {
    const { rows } = await sql<{ count: number }>`
      select count(*)::int as count from home_feed where status_id = ${id}`.execute(app.db);
    if ((rows[0]?.count ?? 0) >= starFollowers) break;
    if (performance.now() - began > 60_000) throw new Error(`the post reached ${rows[0]?.count} feeds in a minute`);
    await pause(20);
  }
  const reached = performance.now() - began;
  const after = measureUsage(...server.processIds);
  const cpu = after.nodeMs + after.postgresMs - before.nodeMs - before.postgresMs;
  return { followers: starFollowers, responseMs: answered, fanOutMs: reached, cpuMs: cpu };
}
