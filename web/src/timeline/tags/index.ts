// Hashtags in lists, with the number of people who use them.
export { recentPeople } from './tag-history.ts';
export { TagLink } from './tag-link.tsx';
