import { sql } from 'kysely';
import type { App } from '../platform/app.ts';
import { transaction, type Transaction } from '../platform/write/transaction.ts';
import type { TagId } from '../platform/ids.ts';
import { translatorOf } from '../platform/i18n/translator.ts';
import type { Schedule } from '../platform/work/run-schedules.ts';
import { siteSettings } from '../site/index.ts';
import { markReviewRequested } from '../tags/index.ts';
import { listStaffMailRecipients, sendStaffMail } from '../users/mails/index.ts';
import { trendsChanged } from './events.ts';

/** A candidate would be shown above this rank if it were approved. */
const rank = 3;

/**
 * Mails staff the hashtags, posts and links that would be among the first trends if they were approved. Each candidate is
 * mailed once.
 */
export const requestReviews: Schedule = {
  name: 'trend.request_reviews',
  pattern: '12 * * * *',
  async run(app) {
    const [{ title, defaultLanguage }, staff] = await Promise.all([
      siteSettings(app),
      listStaffMailRecipients(app, 'trends'),
    ]);
    await transaction(app, async (tx) => {
      const tags = await requestTagReviews(tx, app);
      const statuses = await requestStatusReviews(tx, app);
      const links = await requestLinkReviews(tx, app);
      if (tags.length + statuses.length + links.length === 0) return;
      tx.emit(trendsChanged({}));
      for (const { id: userId, locale } of staff) {
        const t = translatorOf(locale, defaultLanguage);
        const describe = (key: 'mail.trendTags' | 'mail.trendPosts' | 'mail.trendLinks', names: readonly string[]) =>
          names.length === 0 ? [] : [t(key, { names: names.join(', ') })];
        const paragraphs = [
          t('mail.trends'),
          ...describe('mail.trendTags', tags),
          ...describe('mail.trendPosts', statuses),
          ...describe('mail.trendLinks', links),
          t('mail.trendsHow'),
        ];
        const subject = t('mail.trendsSubject', { site: title });
        tx.enqueue(
          sendStaffMail({ kind: 'trends', userId, subject, paragraphs, action: t('mail.trendsAction'), path: '/' }),
        );
      }
    });
  },
};

/** The score that a candidate needs; 0 while fewer than `rank` trends are approved. `tables` selects approved ones. */
const scoreAtRank = (tables: ReturnType<typeof sql>) =>
  sql`coalesce((select trend.score from trends trend ${tables} order by trend.score desc offset ${rank - 1} limit 1), 0)`;

async function requestTagReviews(tx: Transaction, app: App): Promise<string[]> {
  const { rows } = await sql<{ id: TagId; display_name: string }>`
    select tag.id, tag.display_name from trends trend join tags tag on tag.id = trend.subject_id
    where trend.kind = 'tag' and tag.usable and tag.reviewed_at is null and tag.requested_review_at is null
      and trend.score >= ${scoreAtRank(sql`
        join tags approved on approved.id = trend.subject_id where trend.kind = 'tag' and approved.trendable`)}
    order by trend.score desc`.execute(tx.db);
  await markReviewRequested(
    tx,
    app,
    rows.map(({ id }) => id),
  );
  return rows.map(({ display_name }) => `#${display_name}`);
}

async function requestStatusReviews({ db }: Transaction, app: App): Promise<string[]> {
  const { rows } = await sql<{ url: string }>`
    with candidate as (
      select trend.subject_id as id, trend.score from trends trend
      left join status_reviews review on review.status_id = trend.subject_id
      where trend.kind = 'status' and review.reviewed_at is null and review.requested_review_at is null
        and trend.score >= ${scoreAtRank(sql`
          join status_reviews approved on approved.status_id = trend.subject_id
          where trend.kind = 'status' and approved.trendable`)}
    ), requested as (
      insert into status_reviews (status_id, requested_review_at)
      select id, ${app.clock.now()}::timestamptz from candidate order by id
      on conflict (status_id) do update set requested_review_at = excluded.requested_review_at
      returning status_id
    )
    select coalesce(s.url, s.uri) as url
    from candidate join requested on requested.status_id = candidate.id join statuses s on s.id = candidate.id
    order by candidate.score desc`.execute(db);
  return rows.map(({ url }) => url);
}

async function requestLinkReviews({ db }: Transaction, app: App): Promise<string[]> {
  const now = app.clock.now();
  const { rows } = await sql<{ url: string }>`
    with candidate as (
      select review.id, review.domain, card.url, trend.score
      from trends trend
      join preview_cards card on card.id = trend.subject_id
      join link_reviews review on review.card_id = card.id
      left join link_publishers publisher on publisher.domain = review.domain
      where trend.kind = 'link' and review.reviewed_at is null and review.requested_review_at is null
        and publisher.reviewed_at is null
        and trend.score >= ${scoreAtRank(sql`
          join link_reviews approved on approved.card_id = trend.subject_id
          left join link_publishers website on website.domain = approved.domain
          where trend.kind = 'link' and coalesce(approved.trendable, website.trendable)`)}
    ), requested as (
      update link_reviews review set requested_review_at = ${now}::timestamptz
      from candidate where review.id = candidate.id
    ), requested_publisher as (
      update link_publishers publisher set requested_review_at = ${now}::timestamptz
      where publisher.domain in (select domain from candidate) and publisher.requested_review_at is null
    )
    select url from candidate order by score desc`.execute(db);
  return rows.map(({ url }) => url);
}
