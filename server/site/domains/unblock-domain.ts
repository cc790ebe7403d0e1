import type { App } from '../../platform/app.ts';
import { transaction } from '../../platform/write/transaction.ts';
import type { Staff } from '../staff.ts';
import { parseDomain } from './parse-domain.ts';
import { deleteBlock, lockBlockOf } from './store-block.ts';

/**
 * Removes the block of a domain; a job undoes its effects on accounts. Returns false if the domain was not blocked.
 */
export async function unblockDomain(app: App, staff: Staff, text: string): Promise<boolean> {
  const domain = parseDomain(app, text);
  return transaction(app, async (tx) => {
    const block = await lockBlockOf(tx, domain);
    if (block !== undefined) await deleteBlock(tx, staff, block);
    return block !== undefined;
  });
}
