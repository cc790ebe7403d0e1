// The pages of moderation.
export { sectionGroups } from './sections.ts';
