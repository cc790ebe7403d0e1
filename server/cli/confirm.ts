import { createInterface } from 'node:readline/promises';
import { CliError } from './cli-error.ts';
import type { CommandOptions, Shell } from './shell.ts';

/** The option that answers the question of `confirm`. */
export const yesOption = ['--yes', 'do not ask whether to continue'] as const;

export interface ConfirmOptions extends CommandOptions {
  readonly yes?: boolean;
}

/**
 * Asks the person at the terminal whether to continue, after a sentence about the consequence. Throws CliError if they
 * do not, or if there is no terminal. `--yes` answers the question.
 */
export async function confirm({ yes = false, shell }: ConfirmOptions, consequence: string): Promise<void> {
  if (yes) return;
  if (shell.stdin.isTTY !== true) throw new CliError(`${consequence} To confirm, add --yes.`);
  const answer = await ask(shell, `${consequence} Continue? [y/N] `);
  if (!/^y(?:es)?$/i.test(answer.trim())) throw new CliError('Cancelled; nothing was changed.');
}

/** Asks a question at the terminal and returns the answer. Empty at the end of the input, so that nothing is confirmed. */
export async function ask({ stdin, stderr }: Shell, question: string): Promise<string> {
  const prompt = createInterface({ input: stdin, output: stderr });
  const closed = new Promise<string>((resolve) => prompt.once('close', () => resolve('')));
  try {
    return await Promise.race([prompt.question(question), closed]);
  } finally {
    prompt.close();
  }
}
