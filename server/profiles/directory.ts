import { sql } from 'kysely';
import { Type } from 'typebox';
import { Account } from '../accounts/index.ts';
import type { App } from '../platform/app.ts';
import { preparedQuery } from '../platform/database/prepared-query.ts';
import { joinJsonList } from '../platform/http/http-response.ts';
import { paginatedByOffset, clampLimit, clampOffset } from '../platform/http/pages.ts';
import { get, type Route } from '../platform/http/routes.ts';
import type { AccountId } from '../platform/ids.ts';
import { loadAccountRelations } from '../relationships/rules/index.ts';
import { presentAccountsFor } from '../relationships/read/index.ts';

const limits = { defaultLimit: 40, maxLimit: 80 };
/** Maximum offset: the database would count all rows before it. */
const maxOffset = 10_000;

export interface DirectoryQuery {
  /** `active`: latest post first. `new`: newest account first. */
  readonly order: 'active' | 'new';
  /** Only local accounts. */
  readonly local: boolean;
  readonly offset: number;
  readonly limit: number;
}

interface DirectoryArgs {
  readonly hidden: readonly AccountId[];
  readonly hiddenDomains: readonly string[];
  readonly offset: number;
  readonly limit: number;
}

// The same conditions as of the indexes accounts_directory and accounts_directory_local.
const directoryQuery = (order: DirectoryQuery['order'], local: boolean) =>
  preparedQuery<{ id: AccountId }>()((db, args: DirectoryArgs) => ({
    compile: () =>
      sql<{ id: AccountId }>`
        select a.id from accounts a
        ${order === 'active' ? sql`join account_stats stats on stats.account_id = a.id` : sql``}
        where a.discoverable and a.activated and a.suspended_at is null and a.silenced_at is null
          and a.deleted_at is null and a.moved_to_account_id is null
          ${local ? sql`and a.domain is null` : sql`and (a.domain is null or a.domain <> all(${args.hiddenDomains}::text[]))`}
          and a.id <> all(${args.hidden}::bigint[])
        order by ${order === 'active' ? sql`stats.last_status_at desc nulls last, stats.account_id desc` : sql`a.id desc`}
        offset ${args.offset}::int limit ${args.limit}::int`.compile(db),
  }));

const directoryQueries = {
  active: { local: directoryQuery('active', true), all: directoryQuery('active', false) },
  new: { local: directoryQuery('new', true), all: directoryQuery('new', false) },
};

/**
 * Lists discoverable accounts. Leaves out suspended, silenced and moved ones, accounts that the viewer blocks or mutes or
 * that block the viewer, and those on domains that the viewer blocks.
 */
export async function listDirectory(
  app: App,
  viewerId: AccountId | undefined,
  { order, local, offset, limit }: DirectoryQuery,
): Promise<AccountId[]> {
  if (offset >= maxOffset) return [];
  const relations = viewerId === undefined ? undefined : await loadAccountRelations(app, viewerId);
  const rows = await directoryQueries[order][local ? 'local' : 'all'](app, {
    hidden: relations ? [...relations.blocking, ...relations.blockedBy, ...relations.muting] : [],
    hiddenDomains: [...(relations?.blockedDomains ?? [])],
    offset,
    limit,
  });
  return rows.map(({ id }) => id);
}

export const directoryRoute: Route = get('/api/v1/directory', {
  summary: 'List discoverable accounts',
  access: 'anyone',
  readsReplica: 'always',
  input: Type.Object({
    order: Type.Optional(Type.String({ description: '`active` (default) or `new`' })),
    local: Type.Optional(Type.Boolean()),
    offset: Type.Optional(Type.Integer()),
    limit: Type.Optional(Type.Integer({ description: 'Default 40, at most 80' })),
  }),
  response: Type.Array(Account),
  handle: async ({ app, viewer, input, request }) => {
    const limit = clampLimit(input.limit, limits);
    const offset = clampOffset(input.offset);
    const order = input.order === 'new' ? 'new' : 'active';
    const ids = await listDirectory(app, viewer?.accountId, { order, local: input.local ?? false, offset, limit });
    const json = joinJsonList(await presentAccountsFor(app, viewer, ids));
    return paginatedByOffset(app, request, { json, offset, limit, more: ids.length >= limit });
  },
});
