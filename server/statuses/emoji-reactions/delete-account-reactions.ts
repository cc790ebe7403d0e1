import { accountDeleted } from '../../accounts/index.ts';
import { later } from '../../platform/write/reactions.ts';
import { deleteAccountReactions } from './change-reactions.ts';

/** Reactions that one transaction deletes. */
const batchSize = 100;

/** Deletes the emoji reactions of a deleted account. */
export const deleteReactionsOfAccount = later('background', [accountDeleted], {
  name: 'status.delete_emoji_reactions',
  run: async (app, { accountId }) => {
    while (await deleteAccountReactions(app, accountId, batchSize));
  },
});
