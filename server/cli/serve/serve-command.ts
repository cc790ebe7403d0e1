import { InvalidArgumentError, Option, type Command } from 'commander';
import { createLog } from '../../platform/log.ts';
import { collectStartupGarbage } from './collect-startup-garbage.ts';
import { CliError } from '../cli-error.ts';
import { roles, type Role, type ServeOptions } from './serve-options.ts';
import { commandConfig } from '../command-config.ts';
import type { CommandOptions, Shell } from '../shell.ts';
import { isOneOf } from '../../platform/known-names.ts';

interface ServeCommandOptions extends CommandOptions {
  readonly roles: ReadonlySet<Role>;
  readonly port?: string;
  readonly queues?: readonly string[];
  readonly except?: readonly string[];
}

/** Signals within this time count as one: a terminal and npm both forward Ctrl-C. */
const duplicateSignalMs = 1_000;

export function addServeCommand(command: Command): void {
  command
    .option('--roles <list>', `roles of this process: ${roles.join(', ')}`, parseRoles, new Set<Role>(roles))
    .option('--queues <list>', 'as a worker, do only the work of these queues', parseNames)
    .addOption(
      new Option('--except <list>', 'as a worker, do the work of all other queues')
        .argParser(parseNames)
        .conflicts('queues'),
    )
    .option('--port <number>', 'port to listen on, instead of PORT')
    .action(async (options: ServeCommandOptions) => {
      const { console } = options.shell;
      const config = commandConfig(options, { PORT: options.port });
      const log = createLog({ level: config.LOG_LEVEL });
      for (const event of ['uncaughtException', 'unhandledRejection'] as const) {
        process.on(event, (error: unknown) => {
          log.fatal({ err: error }, 'unexpected error, shutting down');
          process.exit(1);
        });
      }
      const stopped = stopSignal(options.shell);
      const { startFieldfare } = await import('./serve.ts');
      const { roles } = options;
      const report = (line: string): void => console.log(line);
      const running = await startFieldfare({ config, roles, queues: chosenQueues(options), log, report });
      collectStartupGarbage();
      const reason = await Promise.race([stopped, running.died]);
      if (reason === undefined) console.log('Stopping: finishing open requests and jobs');
      else log.fatal(reason);
      await running.stop();
      if (reason === undefined) console.log('Stopped');
      process.exit(reason === undefined ? 0 : 1);
    });
}

function chosenQueues({ roles: own, queues: only, except }: ServeCommandOptions): ServeOptions['queues'] {
  if (only === undefined && except === undefined) return undefined;
  if (!own.has('worker')) throw new CliError('--queues and --except need the role worker.');
  return only === undefined ? { except: except ?? [] } : { only };
}

const parseNames = (list: string): string[] =>
  list
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');

function parseRoles(list: string): ReadonlySet<Role> {
  const names = parseNames(list);
  if (names.length === 0) throw new InvalidArgumentError(`Name at least one role of ${roles.join(', ')}.`);
  const unknown = names.filter((name) => !isOneOf(roles, name));
  if (unknown.length > 0)
    throw new InvalidArgumentError(`Unknown role: ${unknown.join(', ')}. Known ones: ${roles.join(', ')}.`);
  return new Set(names.filter((name) => isOneOf(roles, name)));
}

/** Resolves at the first signal to stop. A later second signal exits at once. */
function stopSignal({ console }: Shell): Promise<undefined> {
  let signaledAt: number | undefined;
  return new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
      process.on(signal, () => {
        const now = Date.now();
        if (signaledAt !== undefined && now - signaledAt > duplicateSignalMs) {
          console.log('Stopping at once');
          process.exit(1);
        }
        signaledAt ??= now;
        resolve(undefined);
      });
    }
  });
}
