// Where the reader was in home, on any device.
export { loadHomeMarker, markHomeRead } from './markers.ts';
