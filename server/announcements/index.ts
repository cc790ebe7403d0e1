// Announcements of the staff to all users, with the reactions of users.
import type { Subscription } from '../platform/write/subscriptions.ts';
import { deleteReactionsOfDeletedAccount } from './delete-account-reactions.ts';
import { updatePublicationJob } from './update-publication.ts';

export { createAnnouncement } from './create-announcement.ts';
export { deleteAnnouncement } from './delete-announcement.ts';
export { editAnnouncement } from './edit-announcement.ts';
export {
  announcementEdited,
  announcementPublished,
  announcementReactionsChanged,
  announcementUnpublished,
} from './events.ts';
export { type AnnouncementRow, listAllAnnouncements, listPublishedAnnouncements } from './find-announcements.ts';
export type { AnnouncementInput } from './parse-announcement.ts';
export { presentAnnouncementToAll, presentReactionUpdate } from './present-announcements.ts';
export { publishAnnouncement, unpublishAnnouncement } from './publish-announcement.ts';
export { routes } from './routes.ts';
export type { AnnouncementId } from './tables.ts';
export { caches } from './caches.ts';

export const subscriptions: readonly Subscription[] = [
  updatePublicationJob.subscription,
  deleteReactionsOfDeletedAccount,
];
