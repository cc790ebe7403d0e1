import { Type } from 'typebox';
import { Answer, redirect } from '../../platform/http/answers.ts';
import { notFound } from '../../platform/http/problems.ts';
import { get, type RequestFacts, type Route } from '../../platform/http/routes.ts';
import { idSchema, type StatusId } from '../../platform/ids.ts';
import type { App } from '../../platform/app.ts';
import { create } from '../documents/activities.ts';
import { announceDocuments } from '../documents/announce-documents.ts';
import { noteContext } from '../documents/contexts.ts';
import { noteDocuments } from '../documents/note-documents.ts';
import { isForEverybody, statusBodies, statusUri, statusUrl, type StatusBody } from '../../statuses/index.ts';
import { activityAnswer } from './answers.ts';
import { wantsActivity } from './negotiation.ts';
import { refuseBlocked, requireAuthor } from './reader.ts';
import { findSigner, mayServerSee } from './signer.ts';

const params = Type.Object({ username: Type.String(), id: idSchema<'status'>() });

const object = get('/users/:username/statuses/:id', {
  summary: 'A post as an object',
  access: 'anyone',
  params,
  response: Type.Unknown(),
  rateLimit: 'none',
  undocumented: true,
  async handle({ app, params, request }) {
    if (!wantsActivity(request)) return redirect(statusUrl(app, params.username, params.id));
    return objectAnswer(app, request, params.username, params.id);
  },
});

const activity = get('/users/:username/statuses/:id/activity', {
  summary: 'The activity that published a post, or a reblog',
  access: 'anyone',
  params,
  response: Type.Unknown(),
  rateLimit: 'none',
  undocumented: true,
  async handle({ app, params, request }) {
    const status = await readableStatus(app, request, params.username, params.id);
    if (status instanceof Answer) return status;
    const document =
      status.reblogOfId === null
        ? await createOf(app, status.id)
        : (await announceDocuments(app, [status.id])).get(status.id);
    if (document === undefined) throw notFound();
    return activityAnswer(app, document, { context: noteContext, open: isOpen(status) });
  },
});

export const objectRoutes: readonly Route[] = [object, activity];

async function createOf(app: App, id: StatusId) {
  const note = (await noteDocuments(app, [id])).get(id);
  return note && create(note);
}

const isOpen = ({ visibility }: StatusBody): boolean => isForEverybody(visibility);

/** The document at the address of a post's page, for a request that asks for it; undefined for everybody else. */
export async function objectAtPage(
  app: App,
  request: RequestFacts,
  username: string,
  id: StatusId,
): Promise<Answer | undefined> {
  return wantsActivity(request) ? objectAnswer(app, request, username, id) : undefined;
}

async function objectAnswer(app: App, request: RequestFacts, username: string, id: StatusId): Promise<Answer> {
  const status = await readableStatus(app, request, username, id);
  if (status instanceof Answer) return status;
  const note = (await noteDocuments(app, [id])).get(id);
  if (note === undefined) throw notFound();
  return activityAnswer(app, note, { context: noteContext, open: isOpen(status) });
}

/**
 * A local status that the sender of the request may have: a public one everybody (in secure mode every signer), another
 * one the servers of those who may see it; 404 for the rest. For one that was deleted, the answer that says so (410).
 */
export async function readableStatus(
  app: App,
  request: RequestFacts,
  username: string,
  id: StatusId,
): Promise<StatusBody | Answer> {
  const author = await requireAuthor(app, request, username);
  const status = (await statusBodies(app, [id])).get(id);
  if (status === undefined) return tombstone(app, statusUri(app, author.username, id));
  if (status.accountId !== author.id) throw notFound();
  if (isOpen(status)) return status;
  const signer = await findSigner(app, request);
  if (signer === undefined || !(await mayServerSee(app, signer, status))) throw notFound();
  await refuseBlocked(app, author.id, signer);
  return status;
}

async function tombstone(app: App, uri: string): Promise<Answer> {
  const known = await app.db.selectFrom('tombstones').select('uri').where('uri', '=', uri).executeTakeFirst();
  if (known === undefined) throw notFound();
  return activityAnswer(app, { id: uri, type: 'Tombstone' }, { status: 410 });
}
