import type { App } from '../../platform/app.ts';
import { transaction, type Transaction } from '../../platform/write/transaction.ts';
import { setBlock } from '../../site/domains/index.ts';
import type { Staff } from '../../site/index.ts';
import { writable, type DomainListId } from '../tables.ts';
import { limitsOf } from './compare-entry.ts';
import { compareEntries, requireList, type ComparedEntry } from './find-lists.ts';

/** Entries in one transaction. */
const batchSize = 200;

/**
 * Creates, changes and removes blocks as a list asks, except where staff decided otherwise. Returns the number of changes.
 * Throws 404 if there is no such list.
 */
export async function applyList(app: App, staff: Staff, id: DomainListId): Promise<number> {
  await requireList(app, id);
  let applied = 0;
  for (let after: string | undefined = ''; after !== undefined;) {
    const previous: string = after;
    after = await transaction(app, async (tx) => {
      // Serializes those who apply a list, so that no block is created twice.
      await tx.db.selectFrom('domain_lists').select('id').where('id', '=', id).forUpdate().execute();
      const compared = await compareEntries(tx.db, id, { after: previous, limit: batchSize });
      for (const each of compared) if (await applyEntry(tx, app, staff, each)) applied += 1;
      return compared.length < batchSize ? undefined : compared.at(-1)?.entry.domain;
    });
  }
  return applied;
}

async function applyEntry(tx: Transaction, app: App, staff: Staff, { entry, change }: ComparedEntry): Promise<boolean> {
  const { list_id, domain } = entry;
  if (change !== 'create' && change !== 'update' && change !== 'remove') return false;
  const comments = { obfuscate: entry.obfuscate, public_comment: entry.public_comment };
  const columns = change === 'remove' ? undefined : { ...limitsOf(entry), ...(change === 'create' && comments) };
  const block = await setBlock(tx, app, staff, { domain, columns });
  await writable(tx.db)
    .updateTable('domain_list_entries')
    .set({
      block_id: block?.id ?? null,
      applied_severity: block?.severity ?? null,
      applied_reject_media: block?.reject_media ?? null,
      applied_reject_reports: block?.reject_reports ?? null,
    })
    .where('list_id', '=', list_id)
    .where('domain', '=', domain)
    .execute();
  return true;
}
