import type { App } from '../../platform/app.ts';
import { pagedQuery, pageEnds, selectPage, type PageEnds } from '../../platform/database/paged-query.ts';
import { notFound } from '../../platform/http/http-errors.ts';
import type { Page } from '../../platform/http/pages.ts';
import { parseNetwork } from './parse-ip-block.ts';
import type { AdminIpBlock } from './schema.ts';
import type { IpBlockId, IpBlockRow } from './tables.ts';

const blocks = pagedQuery<IpBlockRow>()<{}>((db, args, order) =>
  selectPage(db.selectFrom('ip_blocks').selectAll(), args, order),
);

/** Returns a page of the IP blocks, newest first. */
export async function listIpBlocks(app: App, page: Page): Promise<{ readonly blocks: AdminIpBlock[] } & PageEnds> {
  const rows = await blocks(app, page, {});
  return { blocks: rows.map(presentIpBlock), ...pageEnds(page, rows) };
}

/** Returns a block. Throws 404 if there is none with this id. */
export async function requireIpBlock(app: App, id: IpBlockId): Promise<AdminIpBlock> {
  const row = await app.db
    .selectFrom('ip_blocks')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirstOrThrow(() => notFound());
  return presentIpBlock(row);
}

/**
 * Returns the id of the block of exactly this address or network; undefined if it is not blocked. Throws 422 if it is
 * none.
 */
export async function findIpBlockId(app: App, text: string): Promise<IpBlockId | undefined> {
  const ip = parseNetwork(text);
  const row = await app.db.selectFrom('ip_blocks').select('id').where('ip', '=', ip).executeTakeFirst();
  return row?.id;
}

export const presentIpBlock = (row: IpBlockRow): AdminIpBlock => ({
  id: row.id,
  ip: row.ip,
  severity: row.severity,
  comment: row.comment,
  created_at: row.created_at.toISOString(),
  expires_at: row.expires_at?.toISOString() ?? null,
});
