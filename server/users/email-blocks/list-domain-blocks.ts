import { sql } from 'kysely';
import type { App } from '../../platform/app.ts';
import { pagedQuery, pageEnds, type PageEnds, selectPage } from '../../platform/database/paged-query.ts';
import { notFound } from '../../platform/http/http-errors.ts';
import type { Page } from '../../platform/http/pages.ts';
import type { AdminEmailDomainBlock } from './schema.ts';
import type { EmailDomainBlockId, EmailDomainBlockRow } from './tables.ts';

const dayMs = 86_400_000;
const historyDays = 7;

const blocks = pagedQuery<EmailDomainBlockRow>()<{}>((db, args, order) =>
  selectPage(db.selectFrom('email_domain_blocks').selectAll(), args, order),
);

/** Returns a page of the blocked e-mail domains, latest first. */
export async function listEmailDomainBlocks(
  app: App,
  page: Page,
): Promise<{ readonly blocks: AdminEmailDomainBlock[] } & PageEnds> {
  const rows = await blocks(app, page, {});
  return { blocks: await presentDomainBlocks(app, rows), ...pageEnds(page, rows) };
}

/** Returns a block. Throws 404 if there is none with this id. */
export async function requireEmailDomainBlock(app: App, id: EmailDomainBlockId): Promise<AdminEmailDomainBlock> {
  const rows = await app.db.selectFrom('email_domain_blocks').selectAll().where('id', '=', id).execute();
  const [block] = await presentDomainBlocks(app, rows);
  if (block === undefined) throw notFound();
  return block;
}

interface DayCount {
  readonly id: EmailDomainBlockId;
  /** Such as 2026-12-31. */
  readonly day: string;
  readonly addresses: string;
  readonly attempts: string;
}

async function presentDomainBlocks(app: App, rows: readonly EmailDomainBlockRow[]): Promise<AdminEmailDomainBlock[]> {
  const days = lastDays(app.clock.now());
  const counts = await countAttempts(
    app,
    rows.map(({ id }) => id),
    days,
  );
  return rows.map(({ id, domain, allow_with_approval, created_at }) => ({
    id,
    domain,
    created_at: created_at.toISOString(),
    history: days.map((day) => {
      const count = counts.get(`${id} ${day}`);
      const seconds = Date.parse(`${day}T00:00:00Z`) / 1_000;
      return { day: String(seconds), accounts: count?.addresses ?? '0', uses: count?.attempts ?? '0' };
    }),
    allow_with_approval,
  }));
}

async function countAttempts(
  { db }: App,
  ids: readonly EmailDomainBlockId[],
  days: readonly string[],
): Promise<Map<string, DayCount>> {
  if (ids.length === 0) return new Map();
  const { rows } = await sql<DayCount>`
    select block_id as id, day::text as day, count(*)::text as addresses, sum(attempts)::text as attempts
    from email_domain_block_attempts
    where block_id = any(${ids}::bigint[]) and day = any(${days}::date[])
    group by block_id, day`.execute(db);
  return new Map(rows.map((row) => [`${row.id} ${row.day}`, row]));
}

const lastDays = (now: Date): string[] =>
  Array.from({ length: historyDays }, (_, index) => new Date(now.getTime() - index * dayMs).toISOString().slice(0, 10));
