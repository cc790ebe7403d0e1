import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { CliError } from '../cli-error.ts';
import type { CommandOptions } from '../shell.ts';
import { toError } from '../../platform/errors.ts';

/** Reads a text file that the user named. */
export async function readTextFile({ shell }: CommandOptions, path: string): Promise<string> {
  try {
    return await readFile(resolve(shell.cwd, path), 'utf8');
  } catch (error) {
    throw new CliError(`The file ${path} cannot be read (${toError(error).code ?? 'error'}).`);
  }
}
