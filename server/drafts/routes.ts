import { Type } from 'typebox';
import type { App } from '../platform/app.ts';
import { joinJsonList, type JsonText } from '../platform/http/http-response.ts';
import { pageInput, paginated, parsePage } from '../platform/http/pages.ts';
import { del, get, post, put, type Route } from '../platform/http/routes.ts';
import { pageEnds } from '../platform/database/paged-query.ts';
import type { AccountId } from '../platform/ids.ts';
import { idSchema } from '../platform/id-schema.ts';
import { Status } from '../statuses/index.ts';
import { parseIdempotencyKey } from '../statuses/post/index.ts';
import { assertNotScheduled, parsePosts, presentThread, scheduledAtInput } from '../statuses/thread/index.ts';
import { deleteDraft } from './delete-draft.ts';
import { listDrafts, requireDraft } from './find-drafts.ts';
import { presentDraft, presentDrafts } from './present-drafts.ts';
import { publishDraft } from './publish-draft.ts';
import { createDraft, updateDraft } from './save-draft.ts';
import { Draft, draftInput } from './schema.ts';
import type { DraftId } from './tables.ts';

const limits = { defaultLimit: 20, maxLimit: 40 };
const params = Type.Object({ id: idSchema<'draft'>() });
const readAccess = { access: 'user', scope: 'read|read:statuses' } as const;
const writeAccess = { access: 'user', scope: 'write|write:statuses' } as const;
const expectedVersion = Type.Optional(
  Type.Integer({ description: 'Answers 409 if the draft has another version by now' }),
);

export const routes: readonly Route[] = [
  get('/api/v1/fieldfare/drafts', {
    summary: "List the viewer's drafts",
    ...readAccess,
    input: Type.Object(pageInput(limits)),
    response: Type.Array(Draft),
    async handle({ app, viewer, input, request }) {
      const page = parsePage(input, limits);
      const rows = await listDrafts(app, viewer.accountId, page);
      return paginated(app, request, { json: joinJsonList(await presentDrafts(app, rows)), ...pageEnds(page, rows) });
    },
  }),
  post('/api/v1/fieldfare/drafts', {
    summary: 'Store a draft of a post or thread',
    ...writeAccess,
    input: Type.Object(draftInput),
    response: Draft,
    async handle({ app, viewer: { accountId }, input: { posts, in_reply_to_id: inReplyToId }, request }) {
      const content = { posts: parsePosts(posts), inReplyToId, idempotencyKey: parseIdempotencyKey(request) };
      return presentOwn(app, accountId, await createDraft(app, accountId, content));
    },
  }),
  get('/api/v1/fieldfare/drafts/:id', {
    summary: 'Show a draft',
    ...readAccess,
    params,
    response: Draft,
    handle: ({ app, viewer, params: { id } }) => presentOwn(app, viewer.accountId, id),
  }),
  put('/api/v1/fieldfare/drafts/:id', {
    summary: 'Replace the content of a draft, unless another device changed it meanwhile',
    ...writeAccess,
    params,
    input: Type.Object({ ...draftInput, version: Type.Integer({ description: 'The version that is replaced' }) }),
    response: Draft,
    async handle({ app, viewer: { accountId }, params: { id }, input, request }) {
      const { posts, in_reply_to_id: inReplyToId, version } = input;
      const content = { posts: parsePosts(posts), inReplyToId, idempotencyKey: parseIdempotencyKey(request) };
      await updateDraft(app, accountId, id, { ...content, version });
      return presentOwn(app, accountId, id);
    },
  }),
  del('/api/v1/fieldfare/drafts/:id', {
    summary: 'Delete a draft',
    ...writeAccess,
    params,
    input: Type.Object({ version: expectedVersion }),
    response: Type.Object({}),
    async handle({ app, viewer, params: { id }, input: { version } }) {
      await deleteDraft(app, viewer.accountId, { id, version });
      return {};
    },
  }),
  post('/api/v1/fieldfare/drafts/:id/publish', {
    summary: 'Publish all posts of a draft, or none, and delete the draft',
    ...writeAccess,
    rateLimit: 'statuses',
    params,
    input: Type.Object({ version: expectedVersion, scheduled_at: scheduledAtInput }),
    response: Type.Array(Status),
    async handle({ app, viewer, caller: { applicationId }, params: { id }, input, request }) {
      assertNotScheduled(input.scheduled_at);
      const idempotencyKey = parseIdempotencyKey(request);
      const options = { id, version: input.version, applicationId, idempotencyKey };
      const ids = await publishDraft(app, viewer.accountId, options);
      return presentThread(app, viewer, ids);
    },
  }),
];

async function presentOwn(app: App, accountId: AccountId, id: DraftId): Promise<JsonText<Draft>> {
  return presentDraft(app, await requireDraft(app, accountId, id));
}
