import { isDeepStrictEqual } from 'node:util';
import type { App } from '../../platform/app.ts';
import type { Transaction } from '../../platform/write/transaction.ts';
import { newId } from '../../platform/ids.ts';
import { recordStaffAction } from '../audit/record-staff-action.ts';
import { recordStaffUpdate } from '../audit/record-staff-update.ts';
import { domainBlocked, domainUnblocked } from '../events.ts';
import { staffAccountId, type Staff } from '../staff.ts';
import { writable, type DomainBlockRow } from '../tables.ts';
import { blockDetails, defaultBlock, type BlockColumns } from './block-changes.ts';

/** Stores a new block, with defaults for omitted columns. Returns undefined if the domain is blocked already. */
export async function insertBlock(
  tx: Transaction,
  app: App,
  staff: Staff,
  { domain, ...columns }: Partial<BlockColumns> & { readonly domain: string },
): Promise<DomainBlockRow | undefined> {
  const now = app.clock.now();
  const block = await writable(tx.db)
    .insertInto('domain_blocks')
    .values({ id: newId<'row'>(now), domain, created_at: now, ...defaultBlock, ...columns })
    .onConflict((conflict) => conflict.column('domain').doNothing())
    .returningAll()
    .executeTakeFirst();
  if (block === undefined) return undefined;
  tx.emit(domainBlocked({ domain, staffId: staffAccountId(staff) }));
  recordStaffAction(tx, staff, {
    target: 'domain_block',
    verb: 'create',
    id: block.id,
    label: domain,
    after: blockDetails(block),
  });
  return block;
}

/** Changes a block that the transaction has locked. Without a change it only applies the block to its accounts again. */
export async function changeBlock(
  tx: Transaction,
  staff: Staff,
  before: DomainBlockRow,
  columns: Partial<BlockColumns>,
): Promise<DomainBlockRow> {
  const { id, domain } = before;
  const after = { ...before, ...columns };
  tx.emit(domainBlocked({ domain, staffId: staffAccountId(staff) }));
  if (isDeepStrictEqual(blockDetails(after), blockDetails(before))) return before;
  await writable(tx.db).updateTable('domain_blocks').set(columns).where('id', '=', id).execute();
  recordStaffUpdate(tx, staff, {
    target: 'domain_block',
    verb: 'update',
    id,
    label: domain,
    before: blockDetails(before),
    after: blockDetails(after),
  });
  return after;
}

/** Deletes a block that the transaction has locked; a job undoes its effects on accounts. */
export async function deleteBlock(tx: Transaction, staff: Staff, block: DomainBlockRow): Promise<void> {
  await writable(tx.db).deleteFrom('domain_blocks').where('id', '=', block.id).execute();
  tx.emit(domainUnblocked({ domain: block.domain, staffId: staffAccountId(staff) }));
  recordStaffAction(tx, staff, {
    target: 'domain_block',
    verb: 'delete',
    id: block.id,
    label: block.domain,
    before: blockDetails(block),
  });
}

/** Locks and returns the block of a domain. */
export const lockBlockOf = ({ db }: Transaction, domain: string): Promise<DomainBlockRow | undefined> =>
  db.selectFrom('domain_blocks').selectAll().where('domain', '=', domain).forUpdate().executeTakeFirst();
