import { sql } from 'kysely';
import { Type } from 'typebox';
import { urlOf } from '../accounts/index.ts';
import { cardOfLink, firstLink, knownCard, linkKey, setStatusCard, type CardId } from '../cards/index.ts';
import type { App } from '../platform/app.ts';
import { prepared } from '../platform/database/prepared.ts';
import { write } from '../platform/database/write.ts';
import { idSchema, type StatusId } from '../platform/ids.ts';
import { defineJob, on } from '../platform/jobs/events.ts';
import { statusEdited, statusPosted } from './events.ts';
import { dropStatusesAfter } from './status-bodies.ts';

/** A post reaches hundreds of servers within a second: they do not all read its link in the next one. */
const spread = 60_000;

interface LinkingRow {
  readonly local: boolean;
  readonly content: string;
  readonly has_media: boolean;
  readonly people: readonly { username: string; domain: string | null; uri: string; url: string | null }[] | null;
}

const linkingRow = prepared<LinkingRow>()((db, { id }: { id: StatusId }) =>
  db
    .selectFrom('statuses as s')
    .select([
      's.local',
      's.content',
      's.has_media',
      sql<LinkingRow['people']>`(
        select json_agg(json_build_object('username', a.username, 'domain', a.domain, 'uri', a.uri, 'url', a.url))
        from mentions m join accounts a on a.id = m.account_id where m.status_id = s.id)`.as('people'),
    ])
    .where('s.id', '=', id)
    .where('s.deleted_at', 'is', null),
);

/** The link of a status that may have a card; null when it has none. Undefined when the status is gone. */
async function linkOf(app: App, statusId: StatusId): Promise<{ url: string | null; local: boolean } | undefined> {
  const [row] = await linkingRow(app, { id: statusId });
  if (row === undefined) return undefined;
  // The files of a post are shown in the place of its card (limits.tsv, link preview refetch).
  if (row.has_media) return { url: null, local: row.local };
  const people = new Set((row.people ?? []).flatMap((person) => [person.uri, urlOf(app, person)]));
  return { url: firstLink(app, row.content, people) ?? null, local: row.local };
}

/** Reads the page that a status links to, unless it is known, and shows its card with the status. */
export const attachCard = defineJob(
  'attach-card',
  Type.Object({ statusId: idSchema<'status'>(), url: Type.String() }),
  async (app, { statusId, url }) => {
    // It may have been deleted or edited since.
    if ((await linkOf(app, statusId))?.url !== url) return;
    const { cardId, againAt } = await cardOfLink(app, url);
    if (againAt !== undefined) await readLater(app, { statusId, url, runAt: againAt });
    else await show(app, statusId, cardId === null ? null : { cardId, url });
  },
  'slow',
);

/** Sees to it that the card of a status is that of its first link; for what was posted or has changed. */
export async function refreshCard(app: App, statusId: StatusId): Promise<void> {
  const link = await linkOf(app, statusId);
  if (link === undefined) return;
  const { url, local } = link;
  const known = url === null ? { cardId: null } : await knownCard(app, url);
  if (url === null || known?.cardId === null) await show(app, statusId, null);
  else if (known !== undefined) await show(app, statusId, { cardId: known.cardId, url });
  else {
    const delay = local ? 0 : Math.random() * spread;
    await readLater(app, { statusId, url, runAt: new Date(app.clock.now().getTime() + delay) });
  }
}

/** The card goes with the text. */
export const attachCardOnEdit = on(statusEdited, 'card-of-edit', (app, { statusId }) => refreshCard(app, statusId));

/** Gives each new post its card. */
export const attachCardOnPost = on(statusPosted, 'card-of-post', (app, { statusId }) => refreshCard(app, statusId));

function readLater(app: App, { runAt, ...job }: { statusId: StatusId; url: string; runAt: Date }): Promise<void> {
  return write(app, async ({ enqueue }) => enqueue(attachCard(job, { runAt, key: linkKey(job.url) })));
}

function show(app: App, statusId: StatusId, card: { cardId: CardId; url: string } | null): Promise<void> {
  return write(app, async (transaction) => {
    if (await setStatusCard(transaction, statusId, card)) dropStatusesAfter(transaction, app, [statusId]);
  });
}
