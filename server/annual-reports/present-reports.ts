import { loadCachedAccounts, presentAccounts } from '../accounts/present/index.ts';
import type { App } from '../platform/app.ts';
import { joinJsonList, JsonText } from '../platform/http/http-response.ts';
import type { CurrentUser } from '../platform/http/routes.ts';
import { filterVisibleStatuses, presentStatuses } from '../statuses/read/index.ts';
import type { ReportRow } from './find-reports.ts';
import type { AnnualReport, WrappedAnnualReports } from './schema.ts';

/** Renders reports of the viewer, with the accounts and posts in them. Posts that were deleted since are left out. */
export async function presentReports(
  app: App,
  viewer: CurrentUser,
  rows: readonly ReportRow[],
): Promise<JsonText<WrappedAnnualReports>> {
  const { accountId } = viewer;
  const topIds = rows.flatMap(({ data }) => data.top_statuses.by_reblogs ?? []);
  const visible = await filterVisibleStatuses(app, accountId, topIds, 'saved');
  const [owner, accounts, statuses] = await Promise.all([
    loadCachedAccounts(app, [accountId]),
    rows.length === 0 ? [] : presentAccounts(app, viewer, [accountId]),
    presentStatuses(app, viewer, visible),
  ]);
  const username = owner.get(accountId)?.username ?? '';
  const reports = rows.map((row) => presentReport(app, row, { username, visible: new Set<string>(visible) }));
  return new JsonText([
    `{"annual_reports":${JSON.stringify(reports)},"accounts":`,
    ...joinJsonList(accounts).fragments,
    ',"statuses":',
    ...joinJsonList(statuses).fragments,
    '}',
  ]);
}

function presentReport(
  { config }: App,
  row: ReportRow,
  { username, visible }: { readonly username: string; readonly visible: ReadonlySet<string> },
): AnnualReport {
  const { account_id: accountId, year, share_key: shareKey, schema_version: schemaVersion, data } = row;
  const { archetype, time_series: totals, top_hashtags: tags, top_statuses: top } = data;
  const topStatusId = top.by_reblogs !== null && visible.has(top.by_reblogs) ? top.by_reblogs : null;
  return {
    year,
    data: {
      archetype,
      time_series: [...totals],
      top_hashtags: [...tags],
      top_statuses: { by_reblogs: topStatusId, by_favourites: null, by_replies: null },
    },
    schema_version: schemaVersion,
    share_url: `${config.baseUrl}/@${username}/wrapstodon/${year}/${shareKey}`,
    account_id: accountId,
  };
}
