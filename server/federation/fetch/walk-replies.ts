import { defineJob } from '../../platform/jobs/define-job.ts';
import { on } from '../../platform/events/reactions.ts';
import { sql } from 'kysely';
import { Type } from 'typebox';
import type { App } from '../../platform/app.ts';
import { write as inTransaction, type Write } from '../../platform/database/write.ts';
import { idSchema, type StatusId } from '../../platform/ids.ts';
import { statusBodies, threadOpened, threadPatience } from '../../statuses/index.ts';
import { DocumentError } from '../documents/parse-document.ts';
import { isNote, readNote } from '../documents/read-note.ts';
import { hostOf, idOf, type Json } from '../documents/values.ts';
import { findKnownStatus } from '../find-status.ts';
import { FetchError, fetchObject } from './fetch-document.ts';
import { readItems } from './read-collection.ts';
import { storeNote } from './store-note.ts';

/** Of one walk (reference/limits.tsv, "fetch-all-replies"). */
const most = { posts: 1000, pages: 500 };
/** Of one collection of replies. */
const mostOfOne = { pages: 10, items: 500 };
/** Posts that one step looks at, side by side. */
const atOnce = 5;

/** Somebody opened a thread: all that answers its post is looked for where it was written. */
export const walkReplies = on([threadOpened], {
  name: 'walk-replies',
  queue: 'remote',
  run: async (app, { statusId }) => {
    const status = (await statusBodies(app, [statusId])).get(statusId);
    if (status === undefined || status.local) return;
    const now = app.clock.now();
    const before = new Date(now.getTime() - threadPatience);
    await inTransaction(app, async (write) => {
      const { rows } = await sql`
        insert into reply_walks (status_id, started_at) values (${statusId}, ${now})
        on conflict (status_id) do update set started_at = excluded.started_at, pages = 0
        where reply_walks.started_at <= ${before}
        returning status_id`.execute(write.db);
      if (rows.length === 0) return;
      await write.db.deleteFrom('reply_finds').where('status_id', '=', statusId).execute();
      await write.db.insertInto('reply_finds').values({ status_id: statusId, uri: status.uri }).execute();
      write.enqueue(walkStep({ statusId }));
    });
  },
});

/** Looks at a few posts of a walk, and notes what answers them for the next step. */
export const walkStep = defineJob(
  'walk-replies-step',
  Type.Object({ statusId: idSchema<'status'>() }),
  async (app, { statusId }) => {
    const finds = await app.db
      .selectFrom('reply_finds')
      .select('uri')
      .where('status_id', '=', statusId)
      .where('seen', '=', false)
      .orderBy('uri')
      .limit(atOnce)
      .execute();
    const looked = await Promise.all(finds.map(({ uri }) => look(app, uri)));
    await inTransaction(app, (write) => noteFinds(write, app, { statusId, looked }));
  },
  'remote',
);

/** A post of a walk, and what its server says answers it. */
interface Looked {
  readonly uri: string;
  readonly replies: readonly string[];
  readonly pages: number;
}

async function look(app: App, uri: string): Promise<Looked> {
  try {
    const document = await fetchObject(app, uri);
    if (!(await keep(app, document))) return { uri, replies: [], pages: 0 };
    const { items, fetched } = await readItems(app, document['replies'], uri, mostOfOne);
    return { uri, replies: items.map(idOf).filter((id) => id !== undefined), pages: fetched };
  } catch (error) {
    if (error instanceof FetchError || error instanceof DocumentError) return { uri, replies: [], pages: 0 };
    throw error;
  }
}

/** Stores a post that answers one that is known here: others have no place in the thread, whoever lists them. */
async function keep(app: App, document: Json): Promise<boolean> {
  if (!isNote(document)) return false;
  const note = readNote(document);
  if ((await findKnownStatus(app, note.uri)) !== undefined) return true;
  if (note.inReplyTo === undefined || (await findKnownStatus(app, note.inReplyTo)) === undefined) return false;
  return (await storeNote(app, note)) !== undefined;
}

async function noteFinds(
  { db, enqueue }: Write,
  app: App,
  { statusId, looked }: { statusId: StatusId; looked: readonly Looked[] },
): Promise<void> {
  const uris = looked.map(({ uri }) => uri);
  const elsewhere = (uri: string) => ![undefined, app.config.webDomain, app.config.domain].includes(hostOf(uri));
  const found = [...new Set(looked.flatMap(({ replies }) => replies.filter(elsewhere)))];
  await sql`
    update reply_finds set seen = true where status_id = ${statusId}::bigint and uri = any(${uris}::text[])`.execute(
    db,
  );
  await sql`
    insert into reply_finds (status_id, uri)
    select walk.status_id, found.uri
    from reply_walks walk, unnest(${found}::text[]) with ordinality as found(uri, place)
    where walk.status_id = ${statusId}::bigint
      and place <= ${most.posts} - (select count(*) from reply_finds where status_id = ${statusId}::bigint)
    on conflict do nothing`.execute(db);
  const { rows } = await sql<{ goes_on: boolean }>`
    update reply_walks set pages = pages + ${looked.reduce((sum, { pages }) => sum + pages, 0)}
    where status_id = ${statusId}::bigint
    returning pages < ${most.pages} and exists (
      select from reply_finds where status_id = ${statusId}::bigint and not seen) as goes_on`.execute(db);
  if (rows[0]?.goes_on === true) enqueue(walkStep({ statusId }));
  else await db.deleteFrom('reply_finds').where('status_id', '=', statusId).execute();
}
