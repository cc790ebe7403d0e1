// The settings of the site as the API shows them.
export { listSettings } from './list-settings.ts';
export { Setting } from './schema.ts';
export { retentionInput, settingsInput, toSettingsChanges } from './settings-input.ts';
