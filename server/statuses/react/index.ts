// Favourites, reblogs, bookmarks and pins.
export { statusBookmarked } from './bookmark-events.ts';
export { bookmarkStatus, unbookmarkStatus } from './bookmark-status.ts';
export { findFavourite, findFavouritedId } from './favourite-rows.ts';
export { favouriteStatus, unfavouriteStatus } from './favourite-status.ts';
export { maxPins } from './pin-status.ts';
export { lockStatusStats, setStatusStats, type StatusStats } from './repair-status-stats.ts';
export { reblogStatus, unreblogStatus } from './reblog-status.ts';
