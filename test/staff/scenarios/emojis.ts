import { storeRemoteEmojis } from '../../../server/emojis/index.ts';
import { setEmojiDisabled } from '../../../server/emojis/manage/index.ts';
import { addTestEmoji, createPng } from '../../emoji-files.ts';
import type { TestServer } from '../../server.ts';
import type { StaffRequest, StaffScenarios } from '../staff-scenario.ts';

const path = '/api/v1/fieldfare/admin/custom_emojis';

async function emojiPath({ app }: TestServer): Promise<string> {
  const { id } = await app.db.selectFrom('custom_emojis').select('id').executeTakeFirstOrThrow();
  return `${path}/${id}`;
}

const onEmoji =
  (action = '', body?: StaffRequest['body']) =>
  async (server: TestServer): Promise<StaffRequest> => {
    await addTestEmoji(server, 'bird');
    return { path: `${await emojiPath(server)}${action}`, ...(body !== undefined && { body }) };
  };

export const emojiScenarios: StaffScenarios = {
  [`GET ${path}`]: async () => ({ path }),
  [`POST ${path}`]: async () => ({
    path,
    body: { shortcode: 'bird', image: `data:image/png;base64,${(await createPng()).toString('base64')}` },
  }),
  [`POST ${path}/batch`]: async (server) => {
    await addTestEmoji(server, 'bird');
    const { id } = await server.app.db.selectFrom('custom_emojis').select('id').executeTakeFirstOrThrow();
    return { path: `${path}/batch`, body: { ids: [id], action: 'update', category: 'Birds' } };
  },
  [`GET ${path}/:id`]: onEmoji(),
  [`PUT ${path}/:id`]: onEmoji('', { category: 'Birds' }),
  [`POST ${path}/:id/copy`]: async (server) => {
    const emoji = { shortcode: 'tree', url: 'https://far.test/tree.png', updatedAt: undefined };
    await storeRemoteEmojis(server.app, 'far.test', [emoji]);
    return { path: `${await emojiPath(server)}/copy` };
  },
  [`POST ${path}/:id/disable`]: onEmoji('/disable'),
  [`POST ${path}/:id/enable`]: async (server) => {
    const request = await onEmoji('/enable')(server);
    await setEmojiDisabled(server.app, 'system', { shortcode: 'bird', disabled: true });
    return request;
  },
  [`DELETE ${path}/:id`]: onEmoji(),
};
