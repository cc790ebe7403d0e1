import type { App } from '../platform/app.ts';
import type { AccountId } from '../platform/ids.ts';
import { parseYear } from './campaign.ts';
import { findReport, type ReportRow } from './find-reports.ts';

/** Returns the report of an account to which a link leads; undefined if it is not the right key. */
export async function findSharedReport(
  app: App,
  accountId: AccountId,
  { year: text, shareKey }: { readonly year: string; readonly shareKey: string },
): Promise<ReportRow | undefined> {
  const year = parseYear(text);
  const report = year === undefined ? undefined : await findReport(app, { accountId, year });
  return report?.share_key === shareKey ? report : undefined;
}
