import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { CliError } from '../cli-error.ts';
import type { CommandOptions } from '../shell.ts';

const minLength = 12;

/** Reads a passphrase from a file or, for `-`, from standard input, without the line break at its end. */
export async function readPassphrase(
  { shell }: CommandOptions,
  file: string | undefined,
  { isNew = false }: { readonly isNew?: boolean } = {},
): Promise<string | undefined> {
  if (file === undefined) return undefined;
  const content = file === '-' ? await text(shell.stdin) : await readPassphraseFile(resolve(shell.cwd, file));
  const passphrase = content.replace(/\r?\n$/, '');
  if (passphrase === '') throw new CliError('The passphrase is empty.');
  if (isNew && passphrase.length < minLength)
    throw new CliError(`The passphrase must have at least ${minLength} characters.`);
  return passphrase;
}

const readPassphraseFile = (file: string): Promise<string> =>
  readFile(file, 'utf8').catch((error: Error) => {
    throw new CliError(`The passphrase cannot be read (${error.message}).`);
  });
