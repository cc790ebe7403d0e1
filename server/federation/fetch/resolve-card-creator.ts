import { on } from '../../platform/events/reactions.ts';
import { creatorNamed, creatorWanted, setCreator } from '../../cards/index.ts';
import { write } from '../../platform/database/write.ts';
import { resolveAccount } from './resolve-account.ts';

/** Looks for the account that the page of a preview card names as its author, when nobody here knew it yet. */
export const resolveCardCreator = on([creatorNamed], {
  name: 'resolve-card-creator',
  queue: 'remote',
  run: async (app, { cardId }) => {
    const handle = await creatorWanted(app, cardId);
    const accountId = handle === undefined ? undefined : await resolveAccount(app, handle);
    if (accountId !== undefined) await write(app, (transaction) => setCreator(transaction, cardId, accountId));
  },
});
