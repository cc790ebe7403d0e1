// What an account shows about its user: the badge of the role, and whether e-mail subscriptions are offered.
export { badgesChanged } from './events.ts';
export { provideBadges, provideEmailSubscribers, type Badge } from './badges.ts';
