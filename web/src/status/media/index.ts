// Images, videos and audio of a post, and the viewer.
export { positionOf, previewUrlOf } from './layout.ts';
export { openViewer } from './open-viewer.tsx';
export { StatusMedia } from './status-media.tsx';
