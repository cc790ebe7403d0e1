import { expect, test } from 'vitest';
import { findCommands, listOptions, type Command } from './search-options.ts';

const command = (label: string, hint?: string): Command => ({
  target: `/${label}`,
  icon: '',
  label,
  ...(hint !== undefined && { hint }),
});
const commands = [command('Notifications'), command('Préférences', 'Notifications, Sprache'), command('Lists')];

test.each([
  ['notif', ['Notifications', 'Préférences']],
  ['PREF', ['Préférences']],
  ['sprache pref', ['Préférences']],
  ['owls', []],
])('"%s" finds the commands that contain its words, by name before explanation', (text, found) => {
  expect(findCommands(commands, text).map(({ label }) => label)).toEqual(found);
});

test('an empty text offers recent searches and commands, and a typed one commands before the search itself', () => {
  const known = { commands, recent: ['owls'], accounts: [], hashtags: [] };
  expect(listOptions('', known).map(({ kind }) => kind)).toEqual(['recent', 'command', 'command', 'command']);
  expect(listOptions('lists', known).map(({ kind }) => kind)).toEqual(['command', 'search']);
  expect(listOptions('lists', { ...known, commands: [] }).map(({ kind }) => kind)).toEqual(['search']);
});
