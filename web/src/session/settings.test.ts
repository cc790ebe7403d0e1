import { expect, test } from 'vitest';
import { defaultSettings, withDefaults } from './settings.ts';

test('settings that were not stored have their defaults', () => {
  expect(withDefaults({})).toEqual(defaultSettings);
  const stored = { reading: { ...defaultSettings.reading, autoplay: true } };
  expect(withDefaults(stored)).toEqual({ ...defaultSettings, ...stored });
});

test('settings of a newer client stay, so that an older one stores them again', () => {
  const stored = {
    sounds: { arrival: true },
    appearance: { ...defaultSettings.appearance, contrast: 'high' },
    columns: [{ id: 'home', source: 'home', isPinned: false, colour: 'red' }],
  };
  expect(withDefaults(stored)).toEqual({ ...defaultSettings, ...stored });
});
