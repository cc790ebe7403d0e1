// Drafts: posts and threads that their authors have not published yet.
import type { Subscription } from '../platform/write/subscriptions.ts';
import { deleteAccountDrafts } from './delete-draft.ts';

export { maxDrafts } from './draft-limits.ts';
export { listDrafts, type DraftRow } from './find-drafts.ts';
export { routes } from './routes.ts';

export const subscriptions: readonly Subscription[] = [deleteAccountDrafts];
