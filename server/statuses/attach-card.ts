import { defineJob, type JobRequest } from '../platform/jobs/define-job.ts';
import { on } from '../platform/events/reactions.ts';
import { sql } from 'kysely';
import { Type } from 'typebox';
import { urlOf } from '../accounts/index.ts';
import { cardOfLink, firstLink, knownCard, linkKey, setStatusCard, type CardId } from '../cards/index.ts';
import type { App } from '../platform/app.ts';
import { prepared } from '../platform/database/prepared.ts';
import { write } from '../platform/database/write.ts';
import { idSchema, type FetchBudgetId, type StatusId } from '../platform/ids.ts';
import { statusChanged, statusEdited, statusPosted } from './events.ts';

/** A post reaches hundreds of servers within a second: they do not all read its link in the next one. */
const spread = 60_000;

interface LinkingRow {
  readonly id: StatusId;
  readonly local: boolean;
  readonly content: string;
  readonly has_media: boolean;
  readonly quotes: boolean;
  readonly people: readonly { username: string; domain: string | null; uri: string; url: string | null }[] | null;
  /** As it is shown now. */
  readonly card_url: string | null;
}

const linkingRows = prepared<LinkingRow>()((db, { ids }: { ids: readonly StatusId[] }) =>
  db
    .selectFrom('statuses as s')
    .leftJoin('status_cards as card', 'card.status_id', 's.id')
    .select([
      's.id',
      's.local',
      's.content',
      's.has_media',
      sql<boolean>`exists (select 1 from quotes q where q.status_id = s.id)`.as('quotes'),
      sql<LinkingRow['people']>`(
        select json_agg(json_build_object('username', a.username, 'domain', a.domain, 'uri', a.uri, 'url', a.url))
        from mentions m join accounts a on a.id = m.account_id where m.status_id = s.id)`.as('people'),
      'card.url as card_url',
    ])
    .where(sql<boolean>`s.id = any(${ids}::bigint[])`)
    .where('s.deleted_at', 'is', null),
);

/** A status that is there, and its link that may have a card; null when it has none. */
interface Linking {
  readonly id: StatusId;
  readonly local: boolean;
  readonly url: string | null;
  readonly shownUrl: string | null;
}

async function linksOf(app: App, ids: readonly StatusId[]): Promise<Linking[]> {
  const rows = await linkingRows(app, { ids });
  return rows.map((row) => ({ id: row.id, local: row.local, url: linkIn(app, row), shownUrl: row.card_url }));
}

function linkIn(app: App, row: LinkingRow): string | null {
  // The files of a post, or what it quotes, are shown in the place of its card (limits.tsv, link preview refetch).
  if (row.has_media || row.quotes) return null;
  const people = new Set((row.people ?? []).flatMap((person) => [person.uri, urlOf(app, person)]));
  return firstLink(app, row.content, people) ?? null;
}

/** Reads the page that a status links to, unless it is known, and shows its card with the status. */
export const attachCard = defineJob(
  'attach-card',
  Type.Object({ statusId: idSchema<'status'>(), url: Type.String() }),
  async (app, { statusId, url }) => {
    const [link] = await linksOf(app, [statusId]);
    // It may have been deleted or edited since.
    if (link?.url !== url) return;
    const { cardId, againAt } = await cardOfLink(app, url);
    if (againAt !== undefined) await write(app, async ({ enqueue }) => enqueue(readLater(statusId, url, againAt)));
    else await show(app, statusId, cardId === null ? null : { cardId, url });
  },
  'cards',
);

type Budget = FetchBudgetId | null;

/**
 * Sees to it that the card of each status is that of its first link; for what was posted or has changed. `budgets`: what
 * reading the page of each draws on.
 */
async function refreshCards(app: App, ids: readonly StatusId[], budgets: readonly Budget[]): Promise<void> {
  const jobs: JobRequest[] = [];
  const budgetOf = new Map(ids.map((id, at) => [id, budgets[at] ?? null]));
  for (const { id, local, url, shownUrl } of await linksOf(app, ids)) {
    if (url === shownUrl) continue;
    const known = url === null ? undefined : await knownCard(app, url);
    const cardId = known?.cardId ?? null;
    // What is not known yet does not leave the card of another page in its place.
    if (shownUrl !== null || cardId !== null) {
      await show(app, id, url === null || cardId === null ? null : { cardId, url });
    }
    if (url !== null && known === undefined) {
      const delay = local ? 0 : Math.random() * spread;
      const runAt = new Date(app.clock.now().getTime() + delay);
      jobs.push({ ...readLater(id, url, runAt), fetchBudgetId: budgetOf.get(id) ?? null });
    }
  }
  if (jobs.length > 0) await write(app, async ({ enqueue }) => jobs.forEach(enqueue));
}

/** The card goes with the text. */
export const attachCardOnEdit = on([statusEdited], {
  name: 'card-of-edit',
  runBatch: (app, edits, budgets) =>
    refreshCards(
      app,
      edits.map(({ statusId }) => statusId),
      budgets,
    ),
});

/** Gives each new post its card. */
export const attachCardOnPost = on([statusPosted], {
  name: 'card-of-post',
  runBatch: (app, posts, budgets) =>
    refreshCards(
      app,
      posts.map(({ statusId }) => statusId),
      budgets,
    ),
});

const readLater = (statusId: StatusId, url: string, runAt: Date): JobRequest =>
  attachCard({ statusId, url }, { runAt, key: linkKey(url), host: new URL(url).host });

function show(app: App, statusId: StatusId, card: { cardId: CardId; url: string } | null): Promise<void> {
  return write(app, async (transaction) => {
    // The row may have been deleted while the page was fetched. The lock keeps it until the card is stored.
    const { rows } = await sql`select id from statuses where id = ${statusId}::bigint for key share`.execute(
      transaction.db,
    );
    if (rows.length === 0) return;
    if (await setStatusCard(transaction, statusId, card)) transaction.emit(statusChanged({ statusId }));
  });
}
