import { defineJob } from '../../platform/work/define-job.ts';
import type { JobRequest } from '../../platform/work/job-request.ts';
import { later } from '../../platform/write/reactions.ts';
import { sql } from 'kysely';
import { Type } from 'typebox';
import { accountUrl } from '../../accounts/present/index.ts';
import {
  fetchLinkCard,
  findFirstLink,
  findLinkCard,
  linkJobKey,
  setStatusCard,
  type CardId,
} from '../../cards/index.ts';
import type { App } from '../../platform/app.ts';
import { preparedQuery } from '../../platform/database/prepared-query.ts';
import { transaction } from '../../platform/write/transaction.ts';
import type { AccountId, FetchBudgetId, StatusId } from '../../platform/ids.ts';
import { idSchema } from '../../platform/id-schema.ts';
import { cardAttached, statusChanged, statusEdited, statusCreated } from '../events.ts';
import { statusBackfilled } from '../remote/status-backfilled.ts';

/**
 * Random delay for links in remote posts. A post reaches hundreds of servers at once, and they must not all fetch its
 * link at once.
 */
const maxDelayMs = 60_000;

interface StatusLinkRow {
  readonly id: StatusId;
  readonly local: boolean;
  readonly content: string;
  readonly has_media: boolean;
  readonly quotes: boolean;
  readonly people: readonly { username: string; domain: string | null; uri: string; url: string | null }[] | null;
  /** The link of the current card. */
  readonly card_url: string | null;
}

const statusLinkRows = preparedQuery<StatusLinkRow>()((db, { ids }: { ids: readonly StatusId[] }) =>
  db
    .selectFrom('statuses as s')
    .leftJoin('status_cards as card', 'card.status_id', 's.id')
    .select([
      's.id',
      's.local',
      's.content',
      's.has_media',
      sql<boolean>`exists (select 1 from quotes q where q.status_id = s.id)`.as('quotes'),
      sql<StatusLinkRow['people']>`(
        select json_agg(json_build_object('username', a.username, 'domain', a.domain, 'uri', a.uri, 'url', a.url))
        from mentions m join accounts a on a.id = m.account_id where m.status_id = s.id)`.as('people'),
      'card.url as card_url',
    ])
    .where(sql<boolean>`s.id = any(${ids}::bigint[])`)
    .where('s.deleted_at', 'is', null),
);

/** A status with its first link that may have a card. */
interface StatusLink {
  readonly id: StatusId;
  readonly local: boolean;
  readonly url: string | null;
  readonly cardUrl: string | null;
}

async function loadStatusLinks(app: App, ids: readonly StatusId[]): Promise<StatusLink[]> {
  const rows = await statusLinkRows(app, { ids });
  return rows.map((row) => ({ id: row.id, local: row.local, url: findLinkToPreview(app, row), cardUrl: row.card_url }));
}

function findLinkToPreview(app: App, row: StatusLinkRow): string | null {
  // Attachments and quotes are shown instead of a card (limits.tsv, link preview refetch).
  if (row.has_media || row.quotes) return null;
  const mentionedUrls = new Set((row.people ?? []).flatMap((person) => [person.uri, accountUrl(app, person)]));
  return findFirstLink(app, row.content, mentionedUrls) ?? null;
}

/** Fetches the card of a link, unless it is known, and attaches it to the status. */
export const attachCard = defineJob(
  'status.attach_card',
  Type.Object({ statusId: idSchema<'status'>(), url: Type.String() }),
  async (app, { statusId, url }) => {
    const [link] = await loadStatusLinks(app, [statusId]);
    // The status may have been deleted or edited meanwhile.
    if (link?.url !== url) return;
    const { cardId, retryAt } = await fetchLinkCard(app, url);
    if (retryAt !== undefined)
      await transaction(app, async ({ enqueue }) => enqueue(buildAttachCardJob(statusId, url, retryAt)));
    else await storeStatusCard(app, statusId, cardId === null ? null : { cardId, url });
  },
  'cards',
);

type Budget = FetchBudgetId | null;

/**
 * Attaches known cards to statuses, removes outdated ones and queues fetches of unknown ones. `budgets`: the fetch
 * budget of each status.
 */
async function refreshCards(app: App, ids: readonly StatusId[], budgets: readonly Budget[]): Promise<void> {
  const jobs: JobRequest[] = [];
  const budgetOf = new Map(ids.map((id, at) => [id, budgets[at] ?? null]));
  for (const { id, local, url, cardUrl } of await loadStatusLinks(app, ids)) {
    if (url === cardUrl) continue;
    const linkCard = url === null ? undefined : await findLinkCard(app, url);
    const cardId = linkCard?.cardId ?? null;
    // The card of an earlier link goes, even if the new one is not known yet.
    if (cardUrl !== null || cardId !== null) {
      await storeStatusCard(app, id, url === null || cardId === null ? null : { cardId, url });
    }
    if (url !== null && linkCard === undefined) {
      const delay = local ? 0 : Math.random() * maxDelayMs;
      const runAt = new Date(app.clock.now().getTime() + delay);
      jobs.push({ ...buildAttachCardJob(id, url, runAt), fetchBudgetId: budgetOf.get(id) ?? null });
    }
  }
  if (jobs.length > 0) await transaction(app, async ({ enqueue }) => jobs.forEach(enqueue));
}

/** An edit may also remove a link. */
const mayHaveLink = (status: { readonly local: boolean; readonly link?: boolean }): boolean => status.link !== false;

/** Attaches the card of a new status and updates that of an edited one. */
export const refreshCard = later('default', [statusCreated, statusBackfilled, statusEdited], {
  name: 'status.refresh_card',
  when: mayHaveLink,
  runBatch: (app, statuses, budgets) =>
    refreshCards(
      app,
      statuses.map(({ statusId }) => statusId),
      budgets,
    ),
});

const buildAttachCardJob = (statusId: StatusId, url: string, runAt: Date): JobRequest =>
  attachCard({ statusId, url }, { runAt, key: linkJobKey(url), host: new URL(url).host });

function storeStatusCard(app: App, statusId: StatusId, card: { cardId: CardId; url: string } | null): Promise<void> {
  return transaction(app, async (tx) => {
    // The row may have been deleted while the page was fetched. The lock holds it until the card is stored.
    const { rows } = await sql<{ account_id: AccountId }>`
      select account_id from statuses where id = ${statusId}::bigint for key share`.execute(tx.db);
    const accountId = rows[0]?.account_id;
    if (accountId === undefined || !(await setStatusCard(tx, statusId, card))) return;
    tx.emit(statusChanged({ statusId }));
    if (card !== null) tx.emit(cardAttached({ statusId, accountId, cardId: card.cardId }));
  });
}
