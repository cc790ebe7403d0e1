import { sql } from 'kysely';
import type { App } from '../../platform/app.ts';
import { LoadingCache } from '../../platform/caching/cache.ts';
import { HttpError } from '../../platform/http/http-errors.ts';
import { verbatim } from '../../platform/i18n/message.ts';

/** Maximum number of unprocessed activities: several minutes of work. */
export const backlogLimits = { all: 20_000, ofSigner: 1_000 };
const countTtlMs = 5_000;
const retryAfterHeader = { 'retry-after': '60' };

/** The number of waiting activities when they were counted, plus those that this process accepted since. */
interface Backlog {
  readonly countedAt: number;
  readonly bySigner: Map<string, number>;
  all: number;
}

export const backlogs = new LoadingCache<'all', Backlog>({
  name: 'federation.inbox_backlogs',
  maxSize: 1,
  ttlMs: countTtlMs,
  load: countBacklog,
});

async function countBacklog(app: App): Promise<Backlog> {
  const { rows } = await sql<{ uri: string; count: number }>`
    select signer_uri as uri, count(*)::int as count from inbox_activities
    where exhausted_at is null group by signer_uri`.execute(app.db);
  return {
    countedAt: app.clock.now().getTime(),
    bySigner: new Map(rows.map(({ uri, count }) => [uri, count])),
    all: rows.reduce((sum, { count }) => sum + count, 0),
  };
}

async function getBacklog(app: App): Promise<Backlog> {
  const cached = backlogs.peek(app, 'all');
  if (cached === undefined) return backlogs.get(app, 'all');
  if (Math.abs(app.clock.now().getTime() - cached.countedAt) < countTtlMs) return cached;
  backlogs.evict(app, 'all');
  return backlogs.get(app, 'all');
}

/** Throws 503 if the backlog would take minutes to process. */
export async function assertBacklogRoom(app: App): Promise<void> {
  if ((await getBacklog(app)).all < backlogLimits.all) return;
  throw new HttpError(503, verbatim('Too many activities are waiting'), undefined, retryAfterHeader);
}

/** Throws 429 if the backlog of one signer is too long. Activities of one signer are processed in sequence. */
export async function assertSignerBacklogRoom(app: App, signerUri: string): Promise<void> {
  const { bySigner } = await getBacklog(app);
  if ((bySigner.get(signerUri) ?? 0) < backlogLimits.ofSigner) return;
  throw new HttpError(429, verbatim('Too many activities of this sender are waiting'), undefined, retryAfterHeader);
}

/** Adds an accepted activity to the counts. */
export function countAccepted(app: App, signerUri: string): void {
  const backlog = backlogs.peek(app, 'all');
  if (backlog === undefined) return;
  backlog.all += 1;
  backlog.bySigner.set(signerUri, (backlog.bySigner.get(signerUri) ?? 0) + 1);
}
