import { isDeepStrictEqual } from 'node:util';
import type { App } from '../../platform/app.ts';
import { transaction, type Transaction } from '../../platform/write/transaction.ts';
import { notFound } from '../../platform/http/http-errors.ts';
import { newId } from '../../platform/ids.ts';
import { recordStaffAction } from '../../site/audit/index.ts';
import type { Staff } from '../../site/index.ts';
import { ipBlocksChanged } from '../events.ts';
import { presentIpBlock } from './find-ip-blocks.ts';
import { assertBounded, parseChanges, parseNewBlock, takenError, type IpBlockInput } from './parse-ip-block.ts';
import type { AdminIpBlock } from './schema.ts';
import { writable, type IpBlockId, type IpBlockRow } from './tables.ts';
import { toError } from '../../platform/errors.ts';

/**
 * Blocks an IP address or network, at once in every process. Throws 422 if a value is invalid, it is blocked already, or
 * `no_access` would reach too far (`assertBounded`).
 */
export async function createIpBlock(app: App, staff: Staff, input: IpBlockInput): Promise<AdminIpBlock> {
  const now = app.clock.now();
  const values = parseNewBlock(input, now);
  assertBounded(values, input.requestIp);
  return transaction(app, async (tx) => {
    const row = await writable(tx.db)
      .insertInto('ip_blocks')
      .values({ id: newId<'ip-block'>(now), ...values, created_at: now, updated_at: now })
      .returningAll()
      .executeTakeFirstOrThrow();
    record(tx, staff, 'create', { after: row });
    return presentIpBlock(row);
  }).catch(rethrowTaken);
}

/** Changes the given properties of a block. Throws 404 for an unknown id, 422 as `createIpBlock`. */
export async function updateIpBlock(
  app: App,
  staff: Staff,
  { id, ...input }: IpBlockInput & { readonly id: IpBlockId },
): Promise<AdminIpBlock> {
  const now = app.clock.now();
  const changes = parseChanges(input, now);
  return transaction(app, async (tx) => {
    const before = await lockBlock(tx, id);
    const row = await writable(tx.db)
      .updateTable('ip_blocks')
      .set({ ...changes, updated_at: now })
      .where('id', '=', id)
      .returningAll()
      .executeTakeFirstOrThrow();
    if (isDeepStrictEqual(detailsOf(before), detailsOf(row))) return presentIpBlock(row);
    if (!isDeepStrictEqual(reachOf(before), reachOf(row))) assertBounded(row, input.requestIp);
    record(tx, staff, 'update', { before, after: row });
    return presentIpBlock(row);
  }).catch(rethrowTaken);
}

/** Removes a block. Throws 404 for an unknown id. */
export function deleteIpBlock(app: App, staff: Staff, id: IpBlockId): Promise<void> {
  return transaction(app, async (tx) => {
    const row = await lockBlock(tx, id);
    await writable(tx.db).deleteFrom('ip_blocks').where('id', '=', id).execute();
    record(tx, staff, 'delete', { before: row });
  });
}

function lockBlock({ db }: Transaction, id: IpBlockId): Promise<IpBlockRow> {
  return db
    .selectFrom('ip_blocks')
    .selectAll()
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirstOrThrow(() => notFound());
}

const detailsOf = ({ ip, severity, comment, expires_at: expiry }: IpBlockRow) => ({
  ip,
  severity,
  comment,
  expires_at: expiry?.toISOString() ?? null,
});

/** What a block does, without the note of staff. */
function reachOf(row: IpBlockRow): object {
  const { comment: _comment, ...reach } = detailsOf(row);
  return reach;
}

function record(
  tx: Transaction,
  staff: Staff,
  verb: 'create' | 'update' | 'delete',
  { before, after }: { readonly before?: IpBlockRow; readonly after?: IpBlockRow },
): void {
  const block = after ?? before;
  if (block === undefined) return;
  tx.emit(ipBlocksChanged({ ip: block.ip }));
  recordStaffAction(tx, staff, {
    target: 'ip_block',
    verb,
    id: block.id,
    label: block.ip,
    before: before && detailsOf(before),
    after: after && detailsOf(after),
  });
}

function rethrowTaken(error: unknown): never {
  if (toError(error).constraint === 'ip_blocks_ip') throw takenError();
  throw error;
}
