import { later } from '../../platform/write/reactions.ts';
import { cardCreatorUnresolved, findUnresolvedCreator, setCardCreator } from '../../cards/index.ts';
import { transaction } from '../../platform/write/transaction.ts';
import { resolveAccount } from './resolve-account.ts';

/** Resolves the account that a page names as its author, for its preview card. */
export const resolveCardCreator = later('remote', [cardCreatorUnresolved], {
  name: 'card.resolve_creator',
  run: async (app, { cardId }) => {
    const handle = await findUnresolvedCreator(app, cardId);
    const accountId = handle === undefined ? undefined : await resolveAccount(app, handle);
    if (accountId !== undefined) await transaction(app, (tx) => setCardCreator(tx, cardId, accountId));
  },
});
