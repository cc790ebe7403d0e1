import type { AccountRow } from '../../accounts/find/index.ts';
import { actorUrls } from '../../accounts/index.ts';
import type { App } from '../../platform/app.ts';
import type { StatusId } from '../../platform/ids.ts';
import { create } from '../documents/activities.ts';
import { actorDocument } from '../documents/actor-document.ts';
import { announceDocuments } from '../documents/announce-documents.ts';
import { actorContext, noteContext } from '../documents/contexts.ts';
import { noteDocuments } from '../documents/note-documents.ts';
import type { Json } from '../documents/values.ts';

/** The context of the activities of an archive. */
export const archiveContext = noteContext;

/** Returns the Create and Announce activities of local posts in the order of the ids. Does not check visibility. */
export async function archiveActivities(app: App, ids: readonly StatusId[]): Promise<Json[]> {
  const [notes, announces] = await Promise.all([
    noteDocuments(app, ids, { withLocalOnly: true }),
    announceDocuments(app, ids, { withLocalOnly: true }),
  ]);
  return ids.flatMap((id): Json | readonly Json[] => {
    const note = notes.get(id);
    return note === undefined ? (announces.get(id) ?? []) : create(note);
  });
}

/** Returns the document of a local actor with its context and the address of its outbox. */
export async function archiveActor(app: App, account: AccountRow): Promise<{ actor: Json; outbox: string }> {
  const actor = { '@context': actorContext, ...(await actorDocument(app, account)) };
  return { actor, outbox: actorUrls(app, account.uri).outbox };
}
