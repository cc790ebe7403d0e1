// Texts that staff reuse in decisions.
export { createPreset, deletePreset, updatePreset, type PresetContent } from './change-presets.ts';
export { listPresets } from './list-presets.ts';
