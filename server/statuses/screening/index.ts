// Compares posts with moderation rules.
export { unmarkSensitive } from './unmark-sensitive.ts';
