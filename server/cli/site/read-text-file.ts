import { readFile } from 'node:fs/promises';
import { CliError } from '../cli-error.ts';

/** Reads a text file that the user named. */
export async function readTextFile(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    throw new CliError(`The file ${path} cannot be read (${(error as NodeJS.ErrnoException).code ?? 'error'}).`);
  }
}
