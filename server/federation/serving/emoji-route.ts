import { Type } from 'typebox';
import { loadLocalEmojis } from '../../emojis/index.ts';
import { notFound } from '../../platform/http/http-errors.ts';
import { get } from '../../platform/http/routes.ts';
import { idSchema } from '../../platform/id-schema.ts';
import { noteContext } from '../documents/contexts.ts';
import { emojiDocument } from '../documents/emoji-documents.ts';
import { activityResponse } from './activity-response.ts';
import { assertSignedFetch } from './signer.ts';
import { forReaders } from './for-servers.ts';

/** Returns a local custom emoji by the URI in documents. */
export const emojiRoute = get('/emojis/:id', {
  summary: 'Get a custom emoji',
  ...forReaders,
  params: Type.Object({ id: idSchema<'emoji'>() }),
  async handle({ app, params: { id }, request }) {
    await assertSignedFetch(app, request);
    const emoji = (await loadLocalEmojis(app)).values().find((candidate) => candidate.id === id);
    if (emoji === undefined) throw notFound();
    return activityResponse(app, emojiDocument(app, emoji), { context: noteContext });
  },
});
