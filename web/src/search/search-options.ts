import type { Account, Tag } from '../api/entities.ts';
import { containsWords } from '../ui/match-words.ts';
import { completeOperators, isAddress, type Completion } from './search-query.ts';

/** A page that the palette leads to by its name, or something that it does. */
export interface Command {
  /** A function is called in place of opening a page. */
  readonly target: string | (() => void);
  readonly icon: string;
  readonly label: string;
  /** What it is for, or the page of a setting. */
  readonly hint?: string;
}

/** An entry below the search field. */
export type Option = { readonly key: string } & (
  | { readonly kind: 'search'; readonly text: string; readonly isAddress: boolean }
  | { readonly kind: 'recent'; readonly text: string }
  | { readonly kind: 'operator'; readonly completion: Completion }
  | { readonly kind: 'command'; readonly command: Command }
  | { readonly kind: 'account'; readonly account: Account; readonly path: string }
  | { readonly kind: 'hashtag'; readonly name: string; readonly path: string }
);

interface Known {
  /** None outside of the palette. */
  readonly commands: readonly Command[];
  readonly recent: readonly string[];
  readonly accounts: readonly Account[];
  readonly hashtags: readonly Tag[];
}

/**
 * Returns the entries for a typed text: recent searches and the first commands for an empty one, else commands that contain
 * its words, the search itself and what was found.
 */
export function listOptions(typed: string, { commands, recent, accounts, hashtags }: Known): readonly Option[] {
  const text = typed.trim();
  if (text === '')
    return [
      ...recent.map((one): Option => ({ kind: 'recent', key: `recent ${one}`, text: one })),
      ...commands.slice(0, maxCommands).map(toOption),
    ];
  const today = new Date().toISOString().slice(0, 10);
  return [
    ...findCommands(commands, text).map(toOption),
    { kind: 'search', key: 'search', text, isAddress: isAddress(text) },
    ...completeOperators(typed, today).map((completion): Option => ({
      kind: 'operator',
      key: `operator ${completion.word}`,
      completion,
    })),
    ...accounts.map((account): Option => ({
      kind: 'account',
      key: `account ${account.id}`,
      account,
      path: `/@${account.acct}`,
    })),
    ...hashtags.map(({ name }): Option => ({
      kind: 'hashtag',
      key: `hashtag ${name}`,
      name,
      path: `/tags/${encodeURIComponent(name)}`,
    })),
  ];
}

const maxCommands = 8;

/** Returns the commands whose names contain the words of a text, then those whose explanations do. */
export function findCommands(commands: readonly Command[], text: string): readonly Command[] {
  const isNamed = ({ label }: Command): boolean => containsWords(label, text);
  const isExplained = ({ label, hint = '' }: Command): boolean => containsWords(`${label} ${hint}`, text);
  const named = commands.filter(isNamed);
  return [...named, ...commands.filter((one) => !isNamed(one) && isExplained(one))].slice(0, maxCommands);
}

const toOption = (command: Command): Option => ({
  kind: 'command',
  key: `command ${typeof command.target === 'string' ? command.target : ''} ${command.label}`,
  command,
});
