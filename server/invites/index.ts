// Invites: the API by which users invite, and the follows of those who sign up with one.
import type { Subscription } from '../platform/write/subscriptions.ts';
import { followForGuest } from './follow-for-guest.ts';

export { createUserInvite } from './create-user-invite.ts';
export { routes } from './routes.ts';

export const subscriptions: readonly Subscription[] = [followForGuest];
