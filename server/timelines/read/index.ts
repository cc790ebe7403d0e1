// Pages of the public and hashtag timelines, for whoever shows them.
export { loadPublicTimeline } from './public-timeline.ts';
export { loadTagTimeline } from './tag-timeline.ts';
