import type { App } from '../../platform/app.ts';
import { commandConfig } from '../command-config.ts';
import { commandLog } from '../output.ts';
import type { CommandOptions } from '../shell.ts';

type RunCommandWithApp = <Result>(options: CommandOptions, run: (app: App) => Promise<Result>) => Promise<Result>;

// Loaded only when a command runs, so that help and wrong arguments need no part of the server.
const load = () => import('./open-app.ts');

/** Runs a command with an App by the settings of its shell, whether the server runs or not. */
export const withCommandApp: RunCommandWithApp = async (options, run) => {
  const { withApp } = await load();
  return withApp(commandConfig(options), commandLog(options), run);
};

/** Like `withCommandApp`, with only accounts, users and OAuth: starts in half the time. */
export const withCommandAccountsApp: RunCommandWithApp = async (options, run) => {
  const { withAccountsApp } = await load();
  return withAccountsApp(commandConfig(options), commandLog(options), run);
};

/** Like `withCommandApp`, for commands that only read: it has no domain, so that it starts fast, and throws if an event is emitted. */
export const withReadingApp: RunCommandWithApp = async (options, run) => {
  const { withReadingApp: open } = await load();
  return open(commandConfig(options), commandLog(options), run);
};
