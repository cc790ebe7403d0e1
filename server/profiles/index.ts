// Profiles: what people do with their own account (edit, move, delete it), and the directory of those who want to be found.
import type { Subscription } from '../platform/jobs/events.ts';
import { forgetMoves } from './move.ts';

export { deleteOwnAccount } from './delete-own-account.ts';
export { lastMove, recordMove } from './move.ts';
export { Profile } from './schema.ts';
export { routes } from './routes.ts';

export const subscriptions: readonly Subscription[] = [forgetMoves];
