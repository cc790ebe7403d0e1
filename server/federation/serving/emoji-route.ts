import { Type } from 'typebox';
import { loadLocalEmojis } from '../../emojis/index.ts';
import { notFound } from '../../platform/http/http-errors.ts';
import { get } from '../../platform/http/routes.ts';
import { idSchema } from '../../platform/ids.ts';
import { noteContext } from '../documents/contexts.ts';
import { emojiDocument } from '../documents/emoji-documents.ts';
import { activityResponse } from './activity-response.ts';
import { assertSignedFetch } from './signer.ts';

/** A custom emoji of this server as other servers name it in their copies. */
export const emojiRoute = get('/emojis/:id', {
  summary: 'A custom emoji as an object',
  access: 'anyone',
  params: Type.Object({ id: idSchema<'emoji'>() }),
  response: Type.Unknown(),
  rateLimit: 'none',
  undocumented: true,
  async handle({ app, params: { id }, request }) {
    await assertSignedFetch(app, request);
    const emoji = (await loadLocalEmojis(app)).values().find((known) => known.id === id);
    if (emoji === undefined) throw notFound();
    return activityResponse(app, emojiDocument(app, emoji), { context: noteContext });
  },
});
