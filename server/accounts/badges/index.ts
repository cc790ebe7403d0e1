// What a profile shows of its user: the badge of a role, and whether people may subscribe by e-mail.
export { badgesChanged } from './events.ts';
export { provideBadges, provideEmailSubscribers, type Badge } from './badges.ts';
