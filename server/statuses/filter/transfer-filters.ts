import {
  assertImportable,
  importFilters,
  listFilters,
  type ExportedFilter,
  type FilterExport,
  type ImportMode,
} from '../../filters/index.ts';
import type { App } from '../../platform/app.ts';
import { hasAnyAddress } from '../../platform/database/has-address.ts';
import { preparedQuery } from '../../platform/database/prepared-query.ts';
import type { AccountId, StatusId } from '../../platform/ids.ts';
import { filterVisibleStatuses } from '../read/filter-visible-statuses.ts';
import { loadCachedStatuses } from '../read/status-cache.ts';

const statusIdsByUri = preparedQuery<{ id: StatusId; uri: string }>()((db, { uris }: { uris: readonly string[] }) =>
  db
    .selectFrom('statuses')
    .select(['id', 'uri'])
    .where(hasAnyAddress('statuses.uri', uris))
    .where('deleted_at', 'is', null),
);

/** Returns the filters of an account for a file. Single statuses are named by URI, without those it may not see now. */
export async function exportFilters(app: App, accountId: AccountId): Promise<FilterExport> {
  const filters = await listFilters(app, accountId);
  const ids = [...new Set(filters.flatMap(({ statuses }) => statuses.map(({ status_id: id }) => id)))];
  const visible = await loadCachedStatuses(app, await filterVisibleStatuses(app, accountId, ids, 'saved'));
  return {
    filters: filters.map(({ title, context, filter_action: action, expires_at: expiresAt, keywords, statuses }) => ({
      title,
      context,
      filter_action: action,
      expires_at: expiresAt,
      keywords: keywords.map(({ keyword, whole_word: wholeWord }) => ({ keyword, whole_word: wholeWord })),
      statuses: statuses.flatMap(({ status_id: id }) => visible.get(id)?.uri ?? []),
    })),
  };
}

/** Imports filters of a file. Leaves out statuses that this server does not know or the account may not see. */
export async function importFiltersOfFile(
  app: App,
  accountId: AccountId,
  filters: readonly ExportedFilter[],
  mode: ImportMode,
): Promise<void> {
  assertImportable(filters);
  const uris = [...new Set(filters.flatMap(({ statuses }) => statuses ?? []))];
  const rows = uris.length === 0 ? [] : await statusIdsByUri(app, { uris });
  const visible = new Set(
    await filterVisibleStatuses(
      app,
      accountId,
      rows.map(({ id }) => id),
      'saved',
    ),
  );
  const idByUri = new Map(rows.flatMap(({ id, uri }) => (visible.has(id) ? [[uri, id] as const] : [])));
  const resolved = filters.map(({ statuses, ...filter }) => ({
    ...filter,
    statusIds: (statuses ?? []).flatMap((uri) => idByUri.get(uri) ?? []),
  }));
  await importFilters(app, accountId, resolved, mode);
}
