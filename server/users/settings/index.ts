// Preferences of users.
export { updateUserSettings, loadUserSettings, userSettingsChanged } from './user-settings.ts';
