import { expect, test } from 'vitest';
import { findUploadProblem, shortcodeFromFileName } from './shortcodes.ts';

test('a shortcode is made from the name of a file', () => {
  const cases = {
    'bird.png': 'bird',
    'Blob Cat@2x.png': 'Blob_Cat_2x',
    'crème-brûlée.webp': 'creme_brulee',
    '__party__.gif': 'party',
    'v1.2.gif': 'v1_2',
    '鳥.png': '',
    noExtension: 'noExtension',
  };
  for (const [name, shortcode] of Object.entries(cases)) expect(shortcodeFromFileName(name), name).toBe(shortcode);
  expect(shortcodeFromFileName(`${'x'.repeat(200)}.png`)).toHaveLength(128);
});

test('an image that cannot become an emoji is found before it is sent', () => {
  const image = { type: 'image/png', size: 1_000 };
  expect(findUploadProblem(image, 'bird', ['tree'])).toBeUndefined();
  expect(findUploadProblem({ ...image, type: 'image/svg+xml' }, 'bird', [])).toBe('wrongType');
  expect(findUploadProblem({ ...image, size: 262_145 }, 'bird', [])).toBe('tooLarge');
  for (const wrong of ['', 'a', 'a b', 'é_é', 'x'.repeat(129)])
    expect(findUploadProblem(image, wrong, [])).toBe('wrongShortcode');
  expect(findUploadProblem(image, 'bird', ['bird'])).toBe('duplicate');
});
