import { sql } from 'kysely';
import { inboxWorker } from '../../../server/federation/inbox/worker.ts';
import { newId, type AccountId } from '../../../server/platform/ids.ts';
import { recordStatements, type SentStatement } from '../../record-statements.ts';
import type { TestServer } from '../../server.ts';
import type { PeerActor } from '../peer.ts';

type Signer = Pick<PeerActor, 'uri' | 'username' | 'host'>;

/** Stores remote actors directly, all with the same followers. */
export async function storeSigners(
  { db, clock }: TestServer,
  signers: readonly Signer[],
  followerIds: readonly AccountId[] = [],
): Promise<AccountId[]> {
  const now = clock.now();
  const ids = signers.map(() => newId<'account'>(now));
  await db
    .insertInto('accounts')
    .values(
      signers.map(({ uri, username, host }, at) => ({
        id: ids[at] as AccountId,
        username,
        domain: host,
        uri,
        inbox_url: `${uri}/inbox`,
        followers_url: `${uri}/followers`,
        fetched_at: now,
        created_at: now,
        updated_at: now,
      })),
    )
    .execute();
  await sql`insert into account_stats (account_id) select unnest(${ids}::bigint[]) on conflict do nothing`.execute(db);
  for (const account_id of followerIds) {
    const follows = ids.map((target_account_id) => ({ id: newId<'row'>(now), account_id, target_account_id }));
    await db
      .insertInto('follows')
      .values(follows.map((follow) => ({ ...follow, created_at: now })))
      .execute();
  }
  return ids;
}

/** Stores activities as the inbox does, in order. */
export async function storeActivities(
  { db, clock }: TestServer,
  activities: readonly Readonly<Record<string, unknown>>[],
): Promise<void> {
  const actors = activities.map(({ actor }) => String(actor));
  await sql`insert into inbox_activities (actor_uri, signer_uri, signer_host, forwarded, body, run_at)
    select actor, actor, host, false, body, ${clock.now()} from unnest(${actors}::text[],
      ${actors.map((actor) => new URL(actor).host)}::text[], ${activities.map((each) => JSON.stringify(each))}::text[])
      with ordinality as activity(actor, host, body, place) order by place`.execute(db);
}

/** Processes all stored activities, but not the jobs that they cause. Returns the statements. */
export function recordProcessing({ app }: TestServer): Promise<SentStatement[]> {
  return recordStatements(async () => {
    while ((await inboxWorker.run(app)) > 0);
  });
}
