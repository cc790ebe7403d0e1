import type { App } from '../../platform/app.ts';
import { commandConfig } from '../command-config.ts';
import { commandLog } from '../output.ts';
import type { AppKind, CommandOptions } from '../shell.ts';

type RunCommandWithApp = <Result>(options: CommandOptions, run: (app: App) => Promise<Result>) => Promise<Result>;

/** Runs a command with an App by the settings of its shell, whether the server runs or not. */
export const withCommandApp: RunCommandWithApp = (options, run) => runWith('full', options, run);

/** Like `withCommandApp`, with only accounts, users and OAuth: starts in half the time. */
export const withCommandAccountsApp: RunCommandWithApp = (options, run) => runWith('accounts', options, run);

/** Like `withCommandApp`, for commands that only read: it has no domain, so that it starts fast, and throws if an event is emitted. */
export const withReadingApp: RunCommandWithApp = (options, run) => runWith('reading', options, run);

async function runWith<Result>(
  kind: AppKind,
  options: CommandOptions,
  run: (app: App) => Promise<Result>,
): Promise<Result> {
  const { findApp } = options.shell;
  if (findApp !== undefined) return run(await findApp(kind));
  // Loaded only when a command runs, so that help and wrong arguments need no part of the server.
  const { withApp, withAccountsApp, withReadingApp } = await import('./open-app.ts');
  const withAppOf = { full: withApp, accounts: withAccountsApp, reading: withReadingApp }[kind];
  return withAppOf(commandConfig(options), commandLog(options), run);
}
