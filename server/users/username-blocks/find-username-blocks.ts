import { sql } from 'kysely';
import type { App } from '../../platform/app.ts';
import { pagedQuery, pageEnds, selectPage, type PageEnds } from '../../platform/database/paged-query.ts';
import { notFound } from '../../platform/http/http-errors.ts';
import type { Page } from '../../platform/http/pages.ts';
import { normalizeUsername } from './normalize-username.ts';
import { isReservedUsername } from './reserved-usernames.ts';
import type { AdminUsernameBlock } from './schema.ts';
import type { UsernameBlockId, UsernameBlockRow } from './tables.ts';

/** `reserved`: an address of the server has the name. `blocked`: staff block it. `needs_approval`: a sign-up waits for staff. */
export type UsernameVerdict = 'allowed' | 'needs_approval' | 'blocked' | 'reserved';

/** Checks a username against the reserved and the blocked ones. */
export async function checkUsername({ db }: App, username: string): Promise<UsernameVerdict> {
  if (isReservedUsername(username)) return 'reserved';
  const normalized = normalizeUsername(username);
  const blocks = await db
    .selectFrom('username_blocks')
    .select('allow_with_approval')
    .where(
      sql<boolean>`case when exact then normalized_username = ${normalized}
        else position(normalized_username in ${normalized}) > 0 end`,
    )
    .execute();
  if (blocks.length === 0) return 'allowed';
  return blocks.every(({ allow_with_approval: allows }) => allows) ? 'needs_approval' : 'blocked';
}

const blocks = pagedQuery<UsernameBlockRow>()<{}>((db, args, order) =>
  selectPage(db.selectFrom('username_blocks').selectAll(), args, order),
);

/** Returns a page of the blocked usernames, newest first. */
export async function listUsernameBlocks(
  app: App,
  page: Page,
): Promise<{ readonly blocks: AdminUsernameBlock[] } & PageEnds> {
  const rows = await blocks(app, page, {});
  return { blocks: rows.map(presentUsernameBlock), ...pageEnds(page, rows) };
}

/** Returns a block. Throws 404 if there is none with this id. */
export async function requireUsernameBlock({ db }: App, id: UsernameBlockId): Promise<AdminUsernameBlock> {
  const row = await db
    .selectFrom('username_blocks')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirstOrThrow(() => notFound());
  return presentUsernameBlock(row);
}

/** Returns the id of the block of exactly this name; undefined if there is none. */
export async function findUsernameBlockId({ db }: App, username: string): Promise<UsernameBlockId | undefined> {
  const name = username.trim().replace(/^@/, '').toLowerCase();
  const row = await db.selectFrom('username_blocks').select('id').where('username', '=', name).executeTakeFirst();
  return row?.id;
}

export const presentUsernameBlock = (row: UsernameBlockRow): AdminUsernameBlock => ({
  id: row.id,
  username: row.username,
  comparison: row.exact ? 'equals' : 'contains',
  allow_with_approval: row.allow_with_approval,
  created_at: row.created_at.toISOString(),
});
