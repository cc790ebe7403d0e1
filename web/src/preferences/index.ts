// The pages of the preferences and what they set.
export { preferenceGroups, type PreferencePage } from './preference-groups.ts';
