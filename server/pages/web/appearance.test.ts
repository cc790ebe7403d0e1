import { expect, test } from 'vitest';
import { parseAppearance } from './appearance.ts';

const defaults = { theme: 'auto', textSize: 'normal', density: 'normal', motion: 'auto' };

test.each([
  ['{}', defaults],
  ['{"appearance":null}', defaults],
  ['{"appearance":"dark"}', defaults],
  ['{"appearance":{"theme":"\\"><script>","textSize":7,"density":["airy"],"motion":null}}', defaults],
  ['{"appearance":{"theme":"dark"}}', { ...defaults, theme: 'dark' }],
  [
    '{"appearance":{"theme":"contrast","textSize":"huge","density":"airy","motion":"reduced","useColumns":true}}',
    { theme: 'contrast', textSize: 'huge', density: 'airy', motion: 'reduced' },
  ],
])('the settings %s mean this appearance', (settings, expected) => {
  expect(parseAppearance(settings)).toEqual(expected);
});
