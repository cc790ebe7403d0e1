import { isDeepStrictEqual } from 'node:util';
import type { App } from '../../platform/app.ts';
import { toError } from '../../platform/errors.ts';
import { invalidField, notFound } from '../../platform/http/http-errors.ts';
import { newId } from '../../platform/ids.ts';
import { transaction, type Transaction } from '../../platform/write/transaction.ts';
import { recordStaffAction } from '../../site/audit/index.ts';
import type { Staff } from '../../site/index.ts';
import { presentUsernameBlock } from './find-username-blocks.ts';
import { normalizeUsername } from './normalize-username.ts';
import type { AdminUsernameBlock } from './schema.ts';
import { writable, type UsernameBlockId, type UsernameBlockRow } from './tables.ts';

const maxUsernameLength = 30;

/** The properties of a block. A change leaves those that are absent. */
export interface UsernameBlockInput {
  readonly username?: string | undefined;
  /** Default of a new block: equals. */
  readonly comparison?: AdminUsernameBlock['comparison'] | undefined;
  /** Default of a new block: false. */
  readonly allowWithApproval?: boolean | undefined;
}

/** Blocks a username for sign-ups and groups. Throws 422 if it is none, or blocked already. */
export function createUsernameBlock(
  app: App,
  staff: Staff,
  { username = '', comparison = 'equals', allowWithApproval = false }: UsernameBlockInput,
): Promise<AdminUsernameBlock> {
  const names = parseUsername(username);
  const now = app.clock.now();
  return transaction(app, async (tx) => {
    const row = await writable(tx.db)
      .insertInto('username_blocks')
      .values({
        id: newId<'username-block'>(now),
        ...names,
        exact: comparison === 'equals',
        allow_with_approval: allowWithApproval,
        created_at: now,
        updated_at: now,
      })
      .returningAll()
      .executeTakeFirstOrThrow();
    record(tx, staff, 'create', { after: row });
    return presentUsernameBlock(row);
  }).catch(rethrowTaken);
}

/** Changes the given properties of a block. Throws 404 for an unknown id, 422 as `createUsernameBlock`. */
export function updateUsernameBlock(
  app: App,
  staff: Staff,
  { id, username, comparison, allowWithApproval }: UsernameBlockInput & { readonly id: UsernameBlockId },
): Promise<AdminUsernameBlock> {
  const names = username === undefined ? {} : parseUsername(username);
  return transaction(app, async (tx) => {
    const before = await lockBlock(tx, id);
    const row = await writable(tx.db)
      .updateTable('username_blocks')
      .set({
        ...names,
        ...(comparison !== undefined && { exact: comparison === 'equals' }),
        ...(allowWithApproval !== undefined && { allow_with_approval: allowWithApproval }),
        updated_at: app.clock.now(),
      })
      .where('id', '=', id)
      .returningAll()
      .executeTakeFirstOrThrow();
    if (!isDeepStrictEqual(detailsOf(before), detailsOf(row))) record(tx, staff, 'update', { before, after: row });
    return presentUsernameBlock(row);
  }).catch(rethrowTaken);
}

/** Removes a block. Throws 404 for an unknown id. */
export function deleteUsernameBlock(app: App, staff: Staff, id: UsernameBlockId): Promise<void> {
  return transaction(app, async (tx) => {
    const before = await lockBlock(tx, id);
    await writable(tx.db).deleteFrom('username_blocks').where('id', '=', id).execute();
    record(tx, staff, 'delete', { before });
  });
}

/** Returns the columns of a name. Throws 422 if no username can contain it. */
function parseUsername(text: string): Pick<UsernameBlockRow, 'username' | 'normalized_username'> {
  const username = text.trim().replace(/^@/, '').toLowerCase();
  if (username === '') throw invalidField('username', 'problems.blank');
  if (username.length > maxUsernameLength)
    throw invalidField('username', 'problems.tooLong', { max: maxUsernameLength });
  if (!/^[a-z0-9_]+$/.test(username)) throw invalidField('username', 'problems.badUsername');
  return { username, normalized_username: normalizeUsername(username) };
}

function lockBlock({ db }: Transaction, id: UsernameBlockId): Promise<UsernameBlockRow> {
  return db
    .selectFrom('username_blocks')
    .selectAll()
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirstOrThrow(() => notFound());
}

const detailsOf = ({ username, exact, allow_with_approval }: UsernameBlockRow) => ({
  username,
  exact,
  allow_with_approval,
});

function record(
  tx: Transaction,
  staff: Staff,
  verb: 'create' | 'update' | 'delete',
  { before, after }: { readonly before?: UsernameBlockRow; readonly after?: UsernameBlockRow },
): void {
  const block = after ?? before;
  if (block === undefined) return;
  recordStaffAction(tx, staff, {
    target: 'username_block',
    verb,
    id: block.id,
    label: block.username,
    before: before && detailsOf(before),
    after: after && detailsOf(after),
  });
}

function rethrowTaken(error: unknown): never {
  if (toError(error).constraint === 'username_blocks_username') throw invalidField('username', 'problems.alreadyTaken');
  throw error;
}
