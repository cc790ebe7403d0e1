// Follows that accounts lost at once by the block of a domain.
export { presentSeverances } from './present-severances.ts';
export type { SeveranceId } from './schema.ts';
export { countFollowsWithDomains } from './count-follows.ts';
