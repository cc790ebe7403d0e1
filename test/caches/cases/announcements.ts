import {
  announcementEdited,
  announcementPublished,
  announcementReactionsChanged,
  announcementUnpublished,
  createAnnouncement,
  listPublishedAnnouncements,
} from '../../../server/announcements/index.ts';
import { emojisChanged } from '../../../server/emojis/index.ts';
import type { DomainEvent } from '../../../server/platform/write/define-event.ts';
import type { AnnouncementId } from '../../../server/announcements/index.ts';
import type { EvictionCase } from '../eviction-case.ts';

const events: readonly [name: string, create: (announcementId: AnnouncementId) => DomainEvent][] = [
  [announcementPublished.event, (announcementId) => announcementPublished({ announcementId })],
  [announcementEdited.event, (announcementId) => announcementEdited({ announcementId })],
  [announcementUnpublished.event, (announcementId) => announcementUnpublished({ announcementId })],
  [
    announcementReactionsChanged.event,
    (announcementId) => announcementReactionsChanged({ announcementId, name: '👍' }),
  ],
  [emojisChanged.event, () => emojisChanged({})],
];

export const cases: EvictionCase[] = events.map(([event, create]) => ({
  cache: 'announcements.published',
  event,
  prepare: async ({ app, db }) => {
    const id = await createAnnouncement(app, 'system', { text: 'Welcome' });
    return {
      read: () => listPublishedAnnouncements(app),
      change: () =>
        db
          .insertInto('announcement_reaction_counts')
          .values({ announcement_id: id, name: '👍', custom_emoji_id: null, count: 3, created_at: app.clock.now() })
          .execute(),
      emitted: create(id),
    };
  },
}));
