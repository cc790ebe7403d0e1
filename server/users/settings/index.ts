// Preferences of users.
export { changeLocale } from './change-locale.ts';
export { updateUserSettings, loadUserSettings, userSettingsChanged } from './user-settings.ts';
export { loadWebSettings, storeWebSettings } from './web-settings.ts';
