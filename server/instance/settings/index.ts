// Changes of the site settings by staff.
export { changeSettings } from './change-settings.ts';
