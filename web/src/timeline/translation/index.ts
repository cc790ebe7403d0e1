// Timelines in the language of the reader.
export { TranslateTimeline } from './translate-timeline.tsx';
