// Preferences of users.
export { updateUserSettings, loadUserSettings, userSettingsChanged } from './user-settings.ts';
export { loadWebSettings, storeWebSettings } from './web-settings.ts';
