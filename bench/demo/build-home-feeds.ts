import { sql } from 'kysely';
import type { App } from '../../server/platform/app.ts';
import { writeStatement } from '../../server/platform/write/write-statement.ts';
import type { Person } from './people.ts';

const concurrency = 3;
/** Maximum id: the feed is empty until it is built. */
const maxId = '9223372036854775807';

/** Builds the home feeds of people, with the job that builds them for users who return. */
export async function buildHomeFeeds(
  app: App,
  people: readonly Person[],
  progress: (share: number) => void,
): Promise<void> {
  const ids = people.map(({ id }) => id);
  await writeStatement(
    app,
    sql`insert into home_feed_states (account_id, complete_from, used_at)
    select id, ${maxId}::bigint, ${app.clock.now()} from unnest(${ids}::bigint[]) as active(id) on conflict do nothing`,
  );
  const build = app.subscriptions.job('feed.build_home');
  if (build === undefined) throw new Error('no job builds home feeds');
  let done = 0;
  const waiting = [...ids];
  const next = async (): Promise<void> => {
    for (let accountId = waiting.pop(); accountId !== undefined; accountId = waiting.pop()) {
      await build.run(app, { accountId });
      done += 1;
      progress(done / ids.length);
    }
  };
  await Promise.all(Array.from({ length: concurrency }, next));
}
