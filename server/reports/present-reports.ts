import { sql, type Selectable } from 'kysely';
import type { Account } from '../accounts/index.ts';
import { loadCachedAccounts } from '../accounts/present/index.ts';
import type { App } from '../platform/app.ts';
import { preparedQuery } from '../platform/database/prepared-query.ts';
import { asciiJson, JsonText } from '../platform/http/http-response.ts';
import { notFound } from '../platform/http/http-errors.ts';
import type { AccountId } from '../platform/ids.ts';
import { presentAccountsFor } from '../relationships/read/index.ts';
import type { Report } from './schema.ts';
import type { ReportId, ReportTables } from './tables.ts';

type ReportRow = Selectable<ReportTables['reports']>;

const rowsById = preparedQuery<ReportRow>()((db, { ids }: { ids: readonly ReportId[] }) =>
  db
    .selectFrom('reports')
    .selectAll()
    .where(sql<boolean>`id = any(${ids}::bigint[])`),
);

/**
 * Returns the reports by id, without those whose account no longer exists. Does not check permissions: reports are for
 * their author and for staff.
 */
export async function presentReportsById(
  app: App,
  viewer: { readonly accountId: AccountId },
  ids: readonly ReportId[],
): Promise<Map<ReportId, JsonText<Report>>> {
  if (ids.length === 0) return new Map();
  const rows = await rowsById(app, { ids });
  const targetIds = [...new Set(rows.map(({ target_account_id: id }) => id))];
  const targets = await presentAccountsById(app, viewer, targetIds);
  return new Map(
    rows.flatMap((row): [ReportId, JsonText<Report>][] => {
      const target = targets.get(row.target_account_id);
      return target === undefined ? [] : [[row.id, render(row, target)]];
    }),
  );
}

/** Like `presentReportsById` for one report. Throws 404 if it or its account no longer exists. */
export async function presentReport(
  app: App,
  viewer: { readonly accountId: AccountId },
  id: ReportId,
): Promise<JsonText<Report>> {
  const report = (await presentReportsById(app, viewer, [id])).get(id);
  if (report === undefined) throw notFound();
  return report;
}

/** Returns the accounts that exist, by id. */
async function presentAccountsById(
  app: App,
  viewer: { readonly accountId: AccountId },
  ids: readonly AccountId[],
): Promise<Map<AccountId, JsonText<Account>>> {
  const cached = await loadCachedAccounts(app, ids);
  const existingIds = ids.filter((id) => cached.get(id)?.activated === true);
  const accounts = await presentAccountsFor(app, viewer, existingIds);
  return new Map(accounts.map((account, index) => [existingIds[index] as AccountId, account]));
}

function render(row: ReportRow, target: JsonText<Account>): JsonText<Report> {
  const members = {
    id: row.id,
    action_taken: row.action_taken_at !== null,
    action_taken_at: row.action_taken_at,
    category: row.category,
    comment: row.comment,
    forwarded: row.forwarded,
    created_at: row.created_at,
    status_ids: row.status_ids,
    collection_ids: row.collection_ids,
    rule_ids: row.rule_ids,
  };
  return new JsonText([asciiJson(members).slice(0, -1), ',"target_account":', ...target.fragments, '}']);
}
