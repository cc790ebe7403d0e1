import type { App } from '../../platform/app.ts';
import type { Transaction } from '../../platform/write/transaction.ts';
import type { Staff } from '../staff.ts';
import type { DomainBlockRow } from '../tables.ts';
import type { BlockColumns } from './block-changes.ts';
import { changeBlock, deleteBlock, insertBlock, lockBlockOf } from './store-block.ts';

/**
 * Blocks a valid domain, changes its block, or removes it if `columns` is undefined, in the caller's transaction. Returns
 * the block; undefined if there is none.
 */
export async function setBlock(
  tx: Transaction,
  app: App,
  staff: Staff,
  { domain, columns }: { readonly domain: string; readonly columns: Partial<BlockColumns> | undefined },
): Promise<DomainBlockRow | undefined> {
  const existing = await lockBlockOf(tx, domain);
  if (columns === undefined) {
    if (existing !== undefined) await deleteBlock(tx, staff, existing);
    return undefined;
  }
  return existing === undefined
    ? insertBlock(tx, app, staff, { domain, ...columns })
    : changeBlock(tx, staff, existing, columns);
}
