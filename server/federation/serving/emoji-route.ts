import { Type } from 'typebox';
import { loadLocalEmojis, type Emoji } from '../../emojis/index.ts';
import type { App } from '../../platform/app.ts';
import { notFound } from '../../platform/http/http-errors.ts';
import type { HttpResponse } from '../../platform/http/http-response.ts';
import { get, type Route } from '../../platform/http/routes.ts';
import { idSchema } from '../../platform/id-schema.ts';
import { noteContext } from '../documents/contexts.ts';
import { emojiDocument } from '../documents/emoji-documents.ts';
import { activityResponse } from './activity-response.ts';
import { assertSignedFetch } from './signer.ts';
import { forReaders } from './for-servers.ts';

/** Returns a local custom emoji by the URI in documents. */
const emojiById = get('/emojis/:id', {
  summary: 'Get a custom emoji',
  ...forReaders,
  params: Type.Object({ id: idSchema<'emoji'>() }),
  async handle({ app, params: { id }, request }) {
    await assertSignedFetch(app, request);
    return emojiResponse(app, (emoji) => emoji.id === id);
  },
});

/** Returns a local custom emoji by the URI that it had in GoToSocial, whose name of its file it keeps. */
const emojiByUlid = get('/emoji/:ulid', {
  summary: 'Get a custom emoji by its id in GoToSocial',
  ...forReaders,
  params: Type.Object({ ulid: Type.String() }),
  async handle({ app, params: { ulid }, request }) {
    await assertSignedFetch(app, request);
    return emojiResponse(app, ({ image_key: key }) => key?.split('/').at(-1)?.startsWith(`${ulid}.`) === true);
  },
});

export const emojiRoutes: readonly Route[] = [emojiById, emojiByUlid];

async function emojiResponse(app: App, matches: (emoji: Emoji) => boolean): Promise<HttpResponse> {
  const emoji = (await loadLocalEmojis(app)).values().find(matches);
  if (emoji === undefined) throw notFound();
  return activityResponse(app, emojiDocument(app, emoji), { context: noteContext });
}
