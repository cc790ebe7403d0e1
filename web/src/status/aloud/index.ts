// Posts read aloud by the browser.
export { hasVoices, readAloud, toggleReading } from './read-aloud.ts';
