import { sql } from 'kysely';
import type { App } from '../platform/app.ts';
import { preparedQuery } from '../platform/database/prepared-query.ts';
import type { Transaction } from '../platform/write/transaction.ts';
import type { AccountId, StatusId } from '../platform/ids.ts';
import { normalizeLink } from './normalize-link.ts';
import { writable, type CardId } from './tables.ts';

/** Sets the card of a status that exists; null deletes it. Returns false if nothing changed. */
export async function setStatusCard(
  { db }: Transaction,
  statusId: StatusId,
  card: { readonly cardId: CardId; readonly url: string } | null,
): Promise<boolean> {
  const result =
    card === null
      ? await sql`delete from status_cards where status_id = ${statusId}`.execute(db)
      : await sql`
          insert into status_cards (status_id, card_id, url)
          values (${statusId}::bigint, ${card.cardId}::bigint, ${card.url})
          on conflict (status_id) do update set card_id = excluded.card_id, url = excluded.url
          where (status_cards.card_id, status_cards.url) is distinct from (excluded.card_id, excluded.url)`.execute(db);
  return (result.numAffectedRows ?? 0n) > 0n;
}

const cardByUrl = preparedQuery<{ id: CardId }>()((db, { url }: { url: string }) => ({
  compile: () =>
    sql<{ id: CardId }>`
      select id from preview_cards where url = ${url}
      union all
      select card_id as id from card_links where url = ${url} and card_id is not null
      limit 1`.compile(db),
}));

/** Returns the card of a page by its URL or by a link that leads to it. Sends no request. */
export async function findCardByUrl(app: App, href: string): Promise<CardId | undefined> {
  const url = normalizeLink(app, href);
  return url === undefined ? undefined : (await cardByUrl(app, { url }))[0]?.id;
}

const unresolvedCreatorRows = preparedQuery<{ creator: string | null }>()((db, { id }: { id: CardId }) =>
  db.selectFrom('preview_cards').select('creator').where('id', '=', id).where('creator_account_id', 'is', null),
);

/** Returns the handle of the page's author, if its account is unknown. */
export async function findUnresolvedCreator(app: App, id: CardId): Promise<string | undefined> {
  return (await unresolvedCreatorRows(app, { id }))[0]?.creator ?? undefined;
}

/** Sets the account of the page's author. */
export async function setCardCreator({ db }: Transaction, id: CardId, accountId: AccountId): Promise<void> {
  await writable(db).updateTable('preview_cards').set({ creator_account_id: accountId }).where('id', '=', id).execute();
}
