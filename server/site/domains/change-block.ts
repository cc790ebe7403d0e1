import type { App } from '../../platform/app.ts';
import { transaction, type Transaction } from '../../platform/write/transaction.ts';
import { notFound } from '../../platform/http/http-errors.ts';
import type { RowId } from '../../platform/ids.ts';
import type { Staff } from '../staff.ts';
import type { DomainBlockRow } from '../tables.ts';
import { toColumns, type BlockChanges } from './block-changes.ts';
import { changeBlock, deleteBlock } from './store-block.ts';

/** Changes a block by its id; a job undoes the effects of the previous severity. Throws 404 if there is none. */
export function updateBlock(app: App, staff: Staff, id: RowId, changes: BlockChanges): Promise<DomainBlockRow> {
  const columns = toColumns(changes);
  return transaction(app, async (tx) => changeBlock(tx, staff, await lockBlock(tx, id), columns));
}

/** Removes a block by its id; a job undoes its effects on accounts. Throws 404 if there is none. */
export function removeBlock(app: App, staff: Staff, id: RowId): Promise<void> {
  return transaction(app, async (tx) => deleteBlock(tx, staff, await lockBlock(tx, id)));
}

function lockBlock({ db }: Transaction, id: RowId): Promise<DomainBlockRow> {
  return db
    .selectFrom('domain_blocks')
    .selectAll()
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirstOrThrow(() => notFound());
}
