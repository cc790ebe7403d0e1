import type { App } from '../../platform/app.ts';
import { pagedQuery, pageEnds, type PageEnds, selectPage } from '../../platform/database/paged-query.ts';
import { transaction } from '../../platform/write/transaction.ts';
import { invalidField, notFound } from '../../platform/http/http-errors.ts';
import type { Page } from '../../platform/http/pages.ts';
import { newId } from '../../platform/ids.ts';
import { recordStaffAction } from '../../site/audit/index.ts';
import type { Staff } from '../../site/index.ts';
import { canonicalEmailHash } from './canonical-email.ts';
import type { AdminCanonicalEmailBlock } from './schema.ts';
import { writable, type CanonicalEmailBlockId, type CanonicalEmailBlockRow } from './tables.ts';

/** An e-mail address to block, or its hash. The address counts if both are given. */
export interface NewCanonicalEmailBlock {
  readonly email?: string | undefined;
  /** SHA-256 of the canonical address in hexadecimal. */
  readonly hash?: string | undefined;
}

const blocks = pagedQuery<CanonicalEmailBlockRow>()<{}>((db, args, order) =>
  selectPage(db.selectFrom('canonical_email_blocks').selectAll(), args, order),
);

/** Returns a page of the blocked e-mail addresses, latest first. */
export async function listCanonicalEmailBlocks(
  app: App,
  page: Page,
): Promise<{ readonly blocks: AdminCanonicalEmailBlock[] } & PageEnds> {
  const rows = await blocks(app, page, {});
  return { blocks: rows.map(present), ...pageEnds(page, rows) };
}

/** Returns a block. Throws 404 if there is none with this id. */
export async function requireCanonicalEmailBlock(
  { db }: App,
  id: CanonicalEmailBlockId,
): Promise<AdminCanonicalEmailBlock> {
  const row = await db
    .selectFrom('canonical_email_blocks')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirstOrThrow(() => notFound());
  return present(row);
}

/** Returns the blocks that an e-mail address matches. */
export async function testCanonicalEmail({ db }: App, email: string): Promise<AdminCanonicalEmailBlock[]> {
  const rows = await db
    .selectFrom('canonical_email_blocks')
    .selectAll()
    .where('canonical_email_hash', '=', canonicalEmailHash(email))
    .execute();
  return rows.map(present);
}

/** Blocks an e-mail address. Throws 422 if it is missing, invalid or blocked already. */
export async function createCanonicalEmailBlock(
  app: App,
  staff: Staff,
  input: NewCanonicalEmailBlock,
): Promise<AdminCanonicalEmailBlock> {
  const hash = parseHash(input);
  return transaction(app, async (tx) => {
    const now = app.clock.now();
    const row = await writable(tx.db)
      .insertInto('canonical_email_blocks')
      .values({
        id: newId<'canonical-email-block'>(now),
        canonical_email_hash: hash,
        account_id: null,
        created_at: now,
      })
      .onConflict((conflict) => conflict.column('canonical_email_hash').doNothing())
      .returningAll()
      .executeTakeFirstOrThrow(() => invalidField('canonical_email_hash', 'problems.alreadyTaken'));
    const after = { canonical_email_hash: hash };
    recordStaffAction(tx, staff, { target: 'canonical_email_block', verb: 'create', id: row.id, label: hash, after });
    return present(row);
  });
}

/** Removes the block of an e-mail address, by its id or the address. Throws 404 if there is none. */
export function deleteCanonicalEmailBlock(
  app: App,
  staff: Staff,
  target: { readonly id: CanonicalEmailBlockId } | { readonly email: string },
): Promise<void> {
  return transaction(app, async (tx) => {
    const query = writable(tx.db).deleteFrom('canonical_email_blocks').returningAll();
    const row = await (
      'id' in target
        ? query.where('id', '=', target.id)
        : query.where('canonical_email_hash', '=', canonicalEmailHash(target.email))
    ).executeTakeFirstOrThrow(() => notFound());
    const { id, canonical_email_hash: hash } = row;
    const before = { canonical_email_hash: hash };
    recordStaffAction(tx, staff, { target: 'canonical_email_block', verb: 'delete', id, label: hash, before });
  });
}

function parseHash({ email = '', hash = '' }: NewCanonicalEmailBlock): string {
  if (email.trim() !== '') {
    if (!/^[^@]+@[^@]/.test(email.trim())) throw invalidField('email', 'problems.notAnEmail');
    return canonicalEmailHash(email);
  }
  if (hash.trim() === '') throw invalidField('canonical_email_hash', 'problems.blank');
  if (!/^[0-9a-f]{64}$/i.test(hash.trim())) throw invalidField('canonical_email_hash', 'problems.invalid');
  return hash.trim().toLowerCase();
}

const present = ({ id, canonical_email_hash }: CanonicalEmailBlockRow): AdminCanonicalEmailBlock => ({
  id,
  canonical_email_hash,
});
