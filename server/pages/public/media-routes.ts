import { Type } from 'typebox';
import { findAttachedStatus, findMediaByShortcode, type MediaAttachment } from '../../media/index.ts';
import type { App } from '../../platform/app.ts';
import { HttpResponse, redirect } from '../../platform/http/http-response.ts';
import { html, type Html } from '../../platform/http/html.ts';
import { notFound } from '../../platform/http/http-errors.ts';
import { get, type RequestContext, type Route } from '../../platform/http/routes.ts';
import type { Translator } from '../../platform/i18n/translator.ts';
import { isId, type AccountId, type MediaId } from '../../platform/ids.ts';
import { idSchema } from '../../platform/id-schema.ts';
import { presentStatus, requireVisibleStatus } from '../../statuses/read/index.ts';
import { isPublicOrUnlisted } from '../../statuses/visibility/index.ts';
import type { Status } from '../../statuses/index.ts';
import { displayNameOf } from '../render/display-name.ts';
import { loadSharedTexts } from '../render/shared-texts.ts';
import { renderAttachment } from '../render/render-media.ts';
import { loadVisitor } from '../visitor.ts';
import { embedDocument, embedHeaders } from './embed-document.ts';

const pageOptions = { access: 'page', undocumented: true, response: Type.Any() } as const;

const attachmentPage = {
  ...pageOptions,
  summary: 'Redirect to the page of the post with an attachment',
  params: Type.Object({ id: Type.String() }),
} as const;

const redirectToPost = async (app: App, request: RequestContext, id: MediaId | undefined): Promise<HttpResponse> => {
  const { activeSession } = await loadVisitor(app, request);
  if (id === undefined) throw notFound();
  const { status } = await loadAttachment(app, activeSession?.accountId, id);
  return redirect(status.url ?? status.uri);
};

export const mediaRoutes: readonly Route[] = [
  get('/media/:id', {
    ...attachmentPage,
    // Mastodon has short codes here.
    handle: async ({ app, request, params: { id } }) =>
      redirectToPost(app, request, (await findMediaByShortcode(app, id)) ?? (isId(id) ? id : undefined)),
  }),

  get('/media_attachments/:id', {
    ...pageOptions,
    summary: 'Redirect to the page of the post with an attachment, by another address',
    params: Type.Object({ id: idSchema<'media'>() }),
    handle: ({ app, request, params }) => redirectToPost(app, request, params.id),
  }),

  get('/media/:id/player', {
    summary: 'Show a player for an iframe in another site',
    ...pageOptions,
    params: Type.Object({ id: idSchema<'media'>() }),
    async handle({ app, params }) {
      const { status, attachment } = await loadAttachment(app, undefined, params.id);
      if (!isPlayable(attachment) || !isPublicOrUnlisted(status.visibility)) throw notFound();
      return new HttpResponse({
        headers: embedHeaders(app),
        text: playerPage(await loadSharedTexts(app), status, attachment).text,
      });
    },
  }),
];

/** Whether an attachment has a player. */
export const isPlayable = ({ type, url }: MediaAttachment): boolean =>
  ['video', 'gifv', 'audio'].includes(type) && url !== null;

/** Returns a local attachment with its status. Throws 404 unless the viewer may see that. */
async function loadAttachment(
  app: App,
  viewerId: AccountId | undefined,
  id: MediaId,
): Promise<{ status: Status; attachment: MediaAttachment }> {
  // Limited federation hides everything from anonymous visitors.
  const isHidden = viewerId === undefined && app.config.LIMITED_FEDERATION;
  const statusId = isHidden ? undefined : await findAttachedStatus(app, id);
  if (statusId === undefined) throw notFound();
  await requireVisibleStatus(app, viewerId, statusId);
  const viewer = viewerId && { accountId: viewerId };
  const status = (await presentStatus(app, viewer, statusId)).parse();
  // A former version of the post may have had it.
  const attachment = status.media_attachments.find((one) => one.id === id);
  if (attachment === undefined) throw notFound();
  return { status, attachment };
}

const playerPage = (t: Translator, { account }: Status, attachment: MediaAttachment): Html =>
  embedDocument(
    t,
    t('pages.titleMedia', { name: displayNameOf(account) }),
    html`<div class="media single">${renderAttachment(t, attachment)}</div>`,
  );
