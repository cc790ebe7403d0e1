import { sql } from 'kysely';
import type { App } from '../../platform/app.ts';
import { transaction, type Transaction } from '../../platform/write/transaction.ts';
import { HttpError } from '../../platform/http/http-errors.ts';
import { message } from '../../platform/i18n/message.ts';
import type { Staff } from '../staff.ts';
import type { DomainBlockRow } from '../tables.ts';
import { coversBlock, defaultBlock, toColumns, type BlockColumns } from './block-changes.ts';
import type { DomainBlockChanges } from './block-domain.ts';
import { parseDomain } from './parse-domain.ts';
import { presentBlock } from './present-domains.ts';
import { insertBlock } from './store-block.ts';

/**
 * Blocks a domain and its subdomains. Throws 422 with `existing_domain_block` if it is blocked already, or a domain above it
 * is blocked at least as strictly.
 */
export async function createBlock(
  app: App,
  staff: Staff,
  { domain: text, ...changes }: DomainBlockChanges,
): Promise<DomainBlockRow> {
  const domain = parseDomain(app, text);
  const columns = { ...defaultBlock, ...toColumns(changes) };
  return transaction(app, async (tx) => {
    const existing = await findConflict(tx, domain, columns);
    if (existing !== undefined) throw existingBlockError(existing);
    const block = await insertBlock(tx, app, staff, { domain, ...columns });
    if (block !== undefined) return block;
    // Another request blocked it in between.
    throw existingBlockError(
      await tx.db.selectFrom('domain_blocks').selectAll().where('domain', '=', domain).executeTakeFirstOrThrow(),
    );
  });
}

async function findConflict({ db }: Transaction, domain: string, columns: BlockColumns) {
  const labels = domain.split('.');
  const suffixes = labels.map((_, index) => labels.slice(index).join('.'));
  const blocks = await db
    .selectFrom('domain_blocks')
    .selectAll()
    .where(sql<boolean>`domain = any(${suffixes}::text[])`)
    .orderBy(sql`length(domain)`, 'desc')
    .execute();
  return blocks.find((block) => block.domain === domain || coversBlock(block, columns));
}

const existingBlockError = (block: DomainBlockRow): HttpError =>
  new HttpError(422, message('domains.alreadyBlocked', { domain: block.domain }), {
    existing_domain_block: presentBlock(block),
  });
