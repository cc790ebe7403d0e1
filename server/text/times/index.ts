// Parses times that people and clients write.
export { isDay, parseTime } from './parse-time.ts';
