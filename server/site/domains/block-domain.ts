import type { App } from '../../platform/app.ts';
import { transaction } from '../../platform/write/transaction.ts';
import type { Staff } from '../staff.ts';
import type { DomainBlockRow } from '../tables.ts';
import { toColumns, type BlockChanges } from './block-changes.ts';
import { parseDomain } from './parse-domain.ts';
import { changeBlock, insertBlock, lockBlockOf } from './store-block.ts';

export type DomainBlockChanges = BlockChanges & { readonly domain: string };

/**
 * Blocks a domain and its subdomains, or changes an existing block. Takes effect at once in every process; a job updates the
 * accounts of the domain and undoes the effects of the previous severity. Throws 422 for an invalid or local domain.
 */
export async function blockDomain(
  app: App,
  staff: Staff,
  { domain: text, ...changes }: DomainBlockChanges,
): Promise<DomainBlockRow> {
  const domain = parseDomain(app, text);
  const columns = toColumns(changes);
  return transaction(app, async (tx) => {
    const existing = await lockBlockOf(tx, domain);
    if (existing !== undefined) return changeBlock(tx, staff, existing, columns);
    const block = (await insertBlock(tx, app, staff, { domain, ...columns })) ?? (await lockBlockOf(tx, domain));
    // Another transaction blocked the domain in between.
    return (
      block ?? tx.db.selectFrom('domain_blocks').selectAll().where('domain', '=', domain).executeTakeFirstOrThrow()
    );
  });
}
