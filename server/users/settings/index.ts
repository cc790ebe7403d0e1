// Preferences of users.
export { changeLocale } from './change-locale.ts';
export { updateUserSettings, loadUserSettings, peekUserSettings, userSettingsChanged } from './user-settings.ts';
export { loadWebSettings, storeWebSettings } from './web-settings.ts';
