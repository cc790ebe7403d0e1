import type { Selectable } from 'kysely';
import type { App } from '../platform/app.ts';
import { pagedQuery, selectPage } from '../platform/database/paged-query.ts';
import { notFound } from '../platform/http/http-errors.ts';
import type { Page } from '../platform/http/pages.ts';
import type { AccountId } from '../platform/ids.ts';
import type { DraftId, DraftTables } from './tables.ts';

export type DraftRow = Selectable<DraftTables['drafts']>;

const draftRows = pagedQuery<DraftRow>()<{ accountId: AccountId }>((db, args, order) =>
  selectPage(db.selectFrom('drafts').selectAll().where('account_id', '=', args.accountId), args, order),
);

/** Returns a page of the drafts of an account, latest first by creation. */
export const listDrafts = (app: App, accountId: AccountId, page: Page): Promise<DraftRow[]> =>
  draftRows(app, page, { accountId });

/** Returns a draft. Throws 404 if it does not exist or does not belong to the account. */
export function requireDraft(app: App, accountId: AccountId, id: DraftId): Promise<DraftRow> {
  return app.db
    .selectFrom('drafts')
    .selectAll()
    .where('id', '=', id)
    .where('account_id', '=', accountId)
    .executeTakeFirstOrThrow(() => notFound());
}
