import { sql } from 'kysely';
import { createModerationRule, deleteModerationRule } from '../../server/moderation-rules/manage/index.ts';
import type { App } from '../../server/platform/app.ts';
import { transaction } from '../../server/platform/write/transaction.ts';
import { blockDomain, unblockDomain } from '../../server/site/domains/index.ts';
import { networkDomain } from './peers.ts';

const comment = 'benchmark';
/** Its block and unblock make servers load the blocks again. */
const evictingDomain = 'evict.bench.test';
const keywordsPerRule = 10;

/** Replaces the domain blocks of an earlier round: all severities by thirds, and one of the senders that limits nothing. */
export async function setBlocks(app: App, count: number): Promise<void> {
  await transaction(app, async ({ db }) => {
    await sql`delete from domain_blocks where private_comment = ${comment}`.execute(db);
    await sql`
      insert into domain_blocks (id, domain, severity, reject_media, reject_reports, private_comment, created_at)
      select n, case n when 3 then ${networkDomain} else 'blocked' || n || '.bench.test' end,
        (array['noop', 'silence', 'suspend'])[1 + n % 3], n % 2 = 0, n % 4 = 0, ${comment}, now()
      from generate_series(1, ${count}::int) n`.execute(db);
  });
  await blockDomain(app, 'system', { domain: evictingDomain, severity: 'noop' });
  await unblockDomain(app, 'system', evictingDomain);
}

/** Replaces the moderation rules of an earlier round, which match no post. */
export async function setRules(app: App, count: number): Promise<void> {
  const earlier = await app.db
    .selectFrom('moderation_rules')
    .select('id')
    .where('title', 'like', `${comment} %`)
    .execute();
  for (const { id } of earlier) await deleteModerationRule(app, 'system', id);
  for (let rule = 0; rule < count; rule += 1)
    await createModerationRule(app, 'system', {
      title: `${comment} ${rule}`,
      enabled: true,
      origin: 'any',
      conditions: { text: { keywords: Array.from({ length: keywordsPerRule }, (_, at) => `zq${rule}x${at}`) } },
      actions: ['report'],
    });
}
