import { Type } from 'typebox';
import { localEmojis } from '../../emojis/index.ts';
import { notFound } from '../../platform/http/problems.ts';
import { get } from '../../platform/http/routes.ts';
import { idSchema } from '../../platform/ids.ts';
import { noteContext } from '../documents/contexts.ts';
import { emojiDocument } from '../documents/emoji-documents.ts';
import { activityAnswer } from './answers.ts';
import { checkSigner } from './signer.ts';

/** A custom emoji of this server as other servers name it in their copies. */
export const emojiRoute = get('/emojis/:id', {
  summary: 'A custom emoji as an object',
  access: 'anyone',
  params: Type.Object({ id: idSchema<'emoji'>() }),
  response: Type.Unknown(),
  rateLimit: 'none',
  undocumented: true,
  async handle({ app, params: { id }, request }) {
    await checkSigner(app, request);
    const emoji = (await localEmojis(app)).values().find((known) => known.id === id);
    if (emoji === undefined) throw notFound();
    return activityAnswer(app, emojiDocument(app, emoji), { context: noteContext });
  },
});
