import type { Selectable } from 'kysely';
import type { App } from '../../platform/app.ts';
import { pageEnds, pagedQuery, type PageEnds, selectPage } from '../../platform/database/paged-query.ts';
import type { Page } from '../../platform/http/pages.ts';
import { notFound } from '../../platform/http/http-errors.ts';
import type { AccountId } from '../../platform/ids.ts';
import type { AppealId, ModerationTables } from '../tables.ts';
import { presentWarnings } from '../warnings/present-warnings.ts';
import type { AdminAppeal, AppealState } from './schema.ts';

type AppealRow = Selectable<ModerationTables['appeals']>;
type Viewer = { readonly accountId: AccountId };

const appealRows = pagedQuery<AppealRow>()<{ state: AppealState }>((db, args, order) =>
  selectPage(db.selectFrom('appeals').selectAll().where('state', '=', args.state), args, order),
);

/** Returns a page of the appeals in a state, newest first. */
export async function listAppeals(
  app: App,
  viewer: Viewer,
  { page, state }: { readonly page: Page; readonly state: AppealState },
): Promise<{ readonly appeals: AdminAppeal[] } & PageEnds> {
  const rows = await appealRows(app, page, { state });
  return { appeals: await present(app, viewer, rows), ...pageEnds(page, rows) };
}

/** Returns one appeal. Throws 404 if there is none. */
export async function findAppeal(app: App, viewer: Viewer, id: AppealId): Promise<AdminAppeal> {
  const rows = await app.db.selectFrom('appeals').selectAll().where('id', '=', id).execute();
  const [appeal] = await present(app, viewer, rows);
  if (appeal === undefined) throw notFound();
  return appeal;
}

async function present(app: App, viewer: Viewer, rows: readonly AppealRow[]): Promise<AdminAppeal[]> {
  const strikes = await presentWarnings(
    app,
    viewer,
    rows.map(({ warning_id: id }) => id),
  );
  return rows.flatMap((row) => {
    const strike = strikes.get(row.warning_id);
    if (strike === undefined) return [];
    const { id, state, text, created_at, decided_at } = row;
    return [
      { id, state, text, created_at: created_at.toISOString(), decided_at: decided_at?.toISOString() ?? null, strike },
    ];
  });
}
