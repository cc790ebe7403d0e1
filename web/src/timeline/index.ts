// Timelines: what they load from, how they stay current, and how they are shown.
export { ContinueReading } from './continue-reading.tsx';
export { ArrangeTabs, HomePage, HomePosts } from './home-page.tsx';
export { followChanges } from './live-changes.ts';
export { keepSnapshots } from './snapshot.ts';
export {
  bookmarksSource,
  favouritesSource,
  folderSource,
  homeSource,
  listSource,
  publicSource,
  tagSource,
  type TimelineSource,
} from './sources.ts';
export { startHome } from './start-home.ts';
export type { TimelineItem } from './timeline-items.ts';
export { TimelineView } from './timeline-view.tsx';
export { shownTimelines, type Timeline, timelineOf } from './timeline.ts';
