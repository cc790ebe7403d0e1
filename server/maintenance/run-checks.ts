import type { App } from '../platform/app.ts';
import { transaction, type Transaction } from '../platform/write/transaction.ts';
import { recordStaffAction } from '../site/audit/index.ts';
import type { Staff } from '../site/index.ts';
import { accountCounters } from './account-counters.ts';
import { firstCursor, type Check } from './checks.ts';
import { feedOrphans } from './orphans.ts';
import { missingFiles } from './missing-files.ts';
import { statusCounters } from './status-counters.ts';
import { uniqueIndexes } from './unique-indexes.ts';

const checks: readonly Check[] = [accountCounters, statusCounters, feedOrphans, missingFiles, uniqueIndexes];
/** Rows that one transaction repairs. */
const repairBatchSize = 100;
const maxExamples = 10;

/** The result of one check. */
export interface CheckResult {
  readonly check: string;
  readonly description: string;
  /** Rows that are wrong. */
  readonly found: number;
  readonly repaired: number;
  /** Ids of some of the wrong rows. */
  readonly examples: readonly string[];
  /** What could not be examined in time. */
  readonly skipped: readonly string[];
}

export interface CheckOptions {
  /** Repairs nothing. */
  readonly dryRun: boolean;
  /** Also rebuilds broken indexes, which takes as long as creating them. */
  readonly reindex?: boolean;
  /** Called before each page of rows. */
  readonly onProgress: (check: string) => void;
}

/**
 * Looks for rows that contradict others, page by page with one connection, and repairs them in small transactions, while the
 * server runs. May be stopped and repeated.
 */
export async function runChecks(app: App, staff: Staff, options: CheckOptions): Promise<CheckResult[]> {
  const results: CheckResult[] = [];
  for (const check of checks) results.push(await runCheck(app, staff, { ...options, check }));
  return results;
}

async function runCheck(
  app: App,
  staff: Staff,
  { check, dryRun, reindex = false, onProgress }: CheckOptions & { readonly check: Check },
): Promise<CheckResult> {
  const examples: string[] = [];
  const skippedItems: string[] = [];
  let [found, repaired] = [0, 0];
  for (let after: string | undefined = firstCursor; after !== undefined;) {
    onProgress(check.name);
    const { wrong, skipped = [], next } = await check.examine(app, after);
    found += wrong.length;
    skippedItems.push(...skipped);
    examples.push(...wrong.slice(0, maxExamples - examples.length));
    if (!dryRun) repaired += await repairRows(app, staff, check, wrong);
    if (!dryRun && (reindex || check.isReindex !== true)) repaired += await repairEach(app, staff, check, wrong);
    after = next;
  }
  const { name, description } = check;
  return { check: name, description, found, repaired, examples, skipped: skippedItems };
}

async function repairRows(app: App, staff: Staff, check: Check, wrong: readonly string[]): Promise<number> {
  const { repair } = check;
  if (repair === undefined) return 0;
  let repaired = 0;
  for (let start = 0; start < wrong.length; start += repairBatchSize) {
    const ids = wrong.slice(start, start + repairBatchSize);
    repaired += await transaction(app, async (tx) => {
      const rows = await repair(tx, ids);
      if (rows > 0) record(tx, staff, check, { ids, rows });
      return rows;
    });
  }
  return repaired;
}

async function repairEach(app: App, staff: Staff, check: Check, wrong: readonly string[]): Promise<number> {
  let repaired = 0;
  for (const id of wrong) {
    if ((await check.repairOne?.(app, id)) !== true) continue;
    repaired += 1;
    await transaction(app, async (tx) => record(tx, staff, check, { ids: [id], rows: 1 }));
  }
  return repaired;
}

const record = (
  tx: Transaction,
  staff: Staff,
  { name }: Check,
  after: { ids: readonly string[]; rows: number },
): void => recordStaffAction(tx, staff, { target: 'instance', verb: 'repair', label: name, after });
