// The media-first view of timelines: a grid of pictures, which opens the viewer with their posts.
export { MediaTimeline } from './media-timeline.tsx';
