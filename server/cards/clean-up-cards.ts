import type { Schedule } from '../platform/work/run-schedules.ts';
import { sql } from 'kysely';
import type { App } from '../platform/app.ts';
import { transaction } from '../platform/write/transaction.ts';

/** Days for which unused cards are retained: another post may link to the page soon. */
const retentionDays = 30;
/** Rows that one transaction deletes. */
const batchSize = 1_000;

/** Deletes links and cards that no post has used for 30 days. */
export const cleanUpCards: Schedule = {
  name: 'card.clean_up_cards',
  pattern: '41 3 * * *',
  async run(app) {
    const before = new Date(app.clock.now().getTime() - retentionDays * 86_400_000);
    while ((await deleteUnusedLinks(app, before)) === batchSize);
    while ((await deleteUnusedCards(app, before)) === batchSize);
  },
};

function deleteUnusedLinks(app: App, before: Date): Promise<number> {
  return transaction(app, async ({ db }) => {
    const { numAffectedRows } = await sql`
      delete from card_links where url in (
        select link.url from card_links link
        where link.next_read_at < ${before}
          and not exists (select 1 from status_cards shown where shown.card_id = link.card_id)
        limit ${batchSize})`.execute(db);
    return Number(numAffectedRows ?? 0n);
  });
}

function deleteUnusedCards(app: App, before: Date): Promise<number> {
  return transaction(app, async ({ db }) => {
    const { numAffectedRows } = await sql`
      delete from preview_cards where id in (
        select card.id from preview_cards card
        where card.updated_at < ${before}
          and not exists (select 1 from status_cards shown where shown.card_id = card.id)
          and not exists (select 1 from card_links link where link.card_id = card.id)
        limit ${batchSize})`.execute(db);
    return Number(numAffectedRows ?? 0n);
  });
}
