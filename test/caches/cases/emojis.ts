import { emojisChanged, presentEmojisFor, buildCachedEmojis } from '../../../server/emojis/index.ts';
import { remoteEmojiChanged } from '../../../server/emojis/events.ts';
import { anonymousMediaViewer } from '../../../server/media/proxy/index.ts';
import { newId } from '../../../server/platform/ids.ts';
import type { TestServer } from '../../server.ts';
import type { EvictionCase } from '../eviction-case.ts';

async function insertEmoji({ app, db }: TestServer, domain: string | null): Promise<void> {
  const now = app.clock.now();
  await db
    .insertInto('custom_emojis')
    .values({
      id: newId<'emoji'>(now),
      shortcode: 'bird',
      domain,
      ...(domain === null ? { image_key: 'emojis/bird.png' } : { remote_url: `https://${domain}/bird.png` }),
      created_at: now,
      updated_at: now,
    })
    .execute();
}

/** Returns the shortcodes of the emojis in the text `:bird:`. */
async function shortcodesIn({ app }: TestServer, domain: string | null): Promise<string[]> {
  const [emojis = []] = await buildCachedEmojis(app, [{ texts: [':bird:'], domain }]);
  return presentEmojisFor(anonymousMediaViewer, emojis).map(({ shortcode }) => shortcode);
}

export const cases: EvictionCase[] = [
  {
    cache: 'emojis.local',
    event: emojisChanged.event,
    prepare: async (server) => {
      await insertEmoji(server, null);
      return {
        read: () => shortcodesIn(server, null),
        change: () => server.db.updateTable('custom_emojis').set({ disabled: true }).execute(),
        emitted: emojisChanged({}),
      };
    },
  },
  {
    cache: 'emojis.remote',
    event: remoteEmojiChanged.event,
    prepare: async (server) => ({
      read: () => shortcodesIn(server, 'far.test'),
      change: () => insertEmoji(server, 'far.test'),
      emitted: remoteEmojiChanged({ domain: 'far.test', shortcode: 'bird' }),
    }),
  },
];
