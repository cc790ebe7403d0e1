import { accountDeleted } from '../accounts/index.ts';
import { transaction } from '../platform/write/transaction.ts';
import { later } from '../platform/write/reactions.ts';
import { filtersChanged } from './events.ts';
import { writable } from './tables.ts';

/** Deletes the filters of a deleted account. */
export const deleteAccountFilters = later('background', [accountDeleted], {
  name: 'filter.delete_account_filters',
  run: (app, { accountId }) =>
    transaction(app, async ({ db, emit }) => {
      await writable(db).deleteFrom('filters').where('account_id', '=', accountId).execute();
      emit(filtersChanged({ accountId }));
    }),
});
