// Changes of local profiles: validation, images and fields.
export type { ProfileChanges, StoredImage } from './profile-changes.ts';
export { profileErrors } from './profile-rules.ts';
export { changeProfile, updateProfile } from './update-profile.ts';
export { consentWithdrawn } from './withdrawn-consent.ts';
