import type { App } from '../../platform/app.ts';
import { transaction } from '../../platform/write/transaction.ts';
import { findAllows, insertAllow, setBlock, type BlockColumns } from '../../site/domains/index.ts';
import type { Staff } from '../../site/index.ts';
import { compareBlocks } from './compare-list.ts';
import { parseAllowList, parseBlockList } from './parse-list.ts';
import type { AllowImport, BlockImport, ListedBlock } from './schema.ts';

export interface ImportOptions {
  readonly csv: string;
  /** Changes nothing: returns what the import would do. */
  readonly dryRun?: boolean | undefined;
  /** Also weakens blocks that are stricter than the list. */
  readonly weaken?: boolean | undefined;
}

/** Changes in one transaction. */
const batchSize = 100;

/**
 * Blocks the domains of a list in the format of Mastodon's exports. Strengthens existing blocks, and keeps their comments.
 * Throws 422 if the list is not CSV, or too long; lines that are no domain are returned.
 */
export async function importBlocks(
  app: App,
  staff: Staff,
  { csv, dryRun = false, weaken = false }: ImportOptions,
): Promise<BlockImport> {
  const { entries, rejected } = await parseBlockList(app, csv);
  const blocks = await compareBlocks(app, entries);
  const changes = dryRun
    ? []
    : blocks.filter(({ change }) => change === 'create' || change === 'strengthen' || (weaken && change === 'weaken'));
  for (let start = 0; start < changes.length; start += batchSize) {
    await transaction(app, async (tx) => {
      for (const { domain, change } of changes.slice(start, start + batchSize)) {
        await setBlock(tx, app, staff, { domain, columns: columnsToSet(change, entries.get(domain)) });
      }
    });
  }
  return { applied: changes.length, blocks, rejected: [...rejected] };
}

function columnsToSet(change: ListedBlock['change'], listed: BlockColumns | undefined): Partial<BlockColumns> {
  if (listed === undefined || change === 'create') return listed ?? {};
  const { severity, reject_media, reject_reports } = listed;
  // A flag that was set stays, unless the block is to be weakened.
  return change === 'weaken'
    ? { severity, reject_media, reject_reports }
    : { severity, ...(reject_media && { reject_media }), ...(reject_reports && { reject_reports }) };
}

/** Allows the domains of a list. Throws as `importBlocks`. */
export async function importAllows(
  app: App,
  staff: Staff,
  { csv, dryRun = false }: ImportOptions,
): Promise<AllowImport> {
  const { entries, rejected } = await parseAllowList(app, csv);
  const existing = await findAllows(app, [...entries.keys()]);
  const domains = Array.from(entries.keys(), (domain) => ({
    domain,
    change: existing.has(domain) ? ('none' as const) : ('create' as const),
  }));
  const created = dryRun ? [] : domains.filter(({ change }) => change === 'create');
  for (let start = 0; start < created.length; start += batchSize) {
    await transaction(app, async (tx) => {
      for (const { domain } of created.slice(start, start + batchSize)) await insertAllow(tx, app, staff, domain);
    });
  }
  return { applied: created.length, domains, rejected: [...rejected] };
}
