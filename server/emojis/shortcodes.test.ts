import { expect, test } from 'vitest';
import { countCpuTime } from '../../test/cpu-time.ts';
import { isShortcode, replaceShortcodes, extractShortcodes } from './shortcodes.ts';

test('names between colons are found unless a letter or digit adjoins them', () => {
  expect(extractShortcodes([':bird: and :bird:, (:tree_2:)', '\n:sun:\n'])).toEqual(['bird', 'tree_2', 'sun']);
  for (const text of [':a:', '12:30:45', 'a:bird:', ':bird:b', ':bird::tree:', ': bird:', ':bi-rd:', 'é:bird:', '::']) {
    expect(extractShortcodes([text]), text).toEqual([]);
  }
});

test('names are found in HTML, and replaced in its text but not in its tags', () => {
  expect(extractShortcodes(['<p>:bird:<br />x</p><p><b>:tree:</b></p>'])).toEqual(['bird', 'tree']);
  const shown = replaceShortcodes('<p title=" :bird: ">:bird: :none:</p>', (name) =>
    name === 'bird' ? '<img>' : undefined,
  );
  expect(shown).toBe('<p title=" :bird: "><img> :none:</p>');
});

test('a shortcode has at least two letters, digits or underscores', () => {
  expect(['ab', 'a_1', 'a'.repeat(2048)].every(isShortcode)).toBe(true);
  expect(['', 'a', 'a-b', 'ä', 'a b', ':ab:'].some(isShortcode)).toBe(false);
});

test('hostile text is searched in bounded time', () => {
  const cpuMs = countCpuTime();
  for (const unit of [':', ':a', ':aa', '<', '<a', ':aa: ', ':aa<']) {
    extractShortcodes([unit.repeat(200_000 / unit.length)]);
    replaceShortcodes(`:aa: ${unit.repeat(200_000 / unit.length)}`, () => 'x');
  }
  expect(cpuMs()).toBeLessThan(2_000);
});
