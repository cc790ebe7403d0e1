import { sql } from 'kysely';
import type { Transaction } from '../platform/write/transaction.ts';

/** Stores what staff decide on: each trending link and its website. */
export async function prepareLinkReviews({ db }: Transaction): Promise<void> {
  await sql`
    insert into link_reviews (card_id, domain)
    select card.id, lower(substring(card.url from '^https?://(?:www\\.)?([^/:?#]+)'))
    from (
      select subject_id from trends where kind = 'link' union select subject_id from provided_trends where kind = 'link'
    ) trend join preview_cards card on card.id = trend.subject_id
    where card.url ~ '^https?://[^/:?#]+'
      and not exists (select 1 from link_reviews review where review.card_id = card.id)
    on conflict do nothing`.execute(db);
  await sql`
    insert into link_publishers (domain)
    select distinct domain from link_reviews review
    where review.card_id in (
        select subject_id from trends where kind = 'link' union select subject_id from provided_trends where kind = 'link')
      and not exists (select 1 from link_publishers publisher where publisher.domain = review.domain)
    on conflict do nothing`.execute(db);
}
