// One status for many viewers at once: who of them sees it, and what. For streams.
export { filterViewers } from './filter-viewers.ts';
export { findDeletedStatus, type PublicStatusFacts } from './find-deleted-status.ts';
export { presentStatusToMany, type PresentedGroup } from './present-to-many.ts';
