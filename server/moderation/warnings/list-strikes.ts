import type { App } from '../../platform/app.ts';
import { pageEnds, pagedQuery, type PageEnds, selectPage } from '../../platform/database/paged-query.ts';
import { notFound } from '../../platform/http/http-errors.ts';
import type { Page } from '../../platform/http/pages.ts';
import type { AccountId } from '../../platform/ids.ts';
import { presentWarnings } from './present-warnings.ts';
import type { AccountWarning, WarningId } from './schema.ts';

type Viewer = { readonly accountId: AccountId };

const strikeIds = pagedQuery<{ id: WarningId }>()<{ accountId: AccountId }>((db, args, order) =>
  selectPage(db.selectFrom('account_warnings').select('id').where('account_id', '=', args.accountId), args, order),
);

/** Returns a page of the decisions of staff about an account, newest first. */
export async function listStrikes(
  app: App,
  viewer: Viewer,
  { accountId, page }: { readonly accountId: AccountId; readonly page: Page },
): Promise<{ readonly strikes: AccountWarning[] } & PageEnds> {
  const rows = await strikeIds(app, page, { accountId });
  const strikes = await presentWarnings(
    app,
    viewer,
    rows.map(({ id }) => id),
  );
  return { strikes: rows.flatMap(({ id }) => strikes.get(id) ?? []), ...pageEnds(page, rows) };
}

/** Returns a decision about an account. Throws 404 if it is about another one. */
export async function findStrike(app: App, { accountId }: Viewer, id: WarningId): Promise<AccountWarning> {
  const strike = (await presentWarnings(app, { accountId }, [id])).get(id);
  if (strike === undefined || strike.target_account.id !== accountId) throw notFound();
  return strike;
}
