// Facts about a local user that its account shows: the badge of the role, and whether e-mail subscriptions are offered.
export { badgesChanged } from './events.ts';
export { provideBadges, provideEmailSubscribers, type Badge } from './badges.ts';
