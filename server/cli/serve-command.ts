import { InvalidArgumentError, type Command } from 'commander';
import { createLog } from '../platform/log.ts';
import { roles, startFieldfare, type Role } from './serve.ts';
import { commandConfig } from './command-config.ts';

/** Signals that reach a process within this time are one wish: a terminal and npm both pass on a Ctrl-C. */
const duplicateSignalMs = 1_000;

export function addServeCommand(program: Command): void {
  program
    .command('serve')
    .description('Start the server and stay until told to stop')
    .option('--roles <list>', `what this process does: ${roles.join(', ')}`, parseRoles, new Set<Role>(roles))
    .option('--port <number>', 'port to listen on, in place of the setting PORT')
    .action(async (options: { roles: ReadonlySet<Role>; port?: string }) => {
      const config = commandConfig({ PORT: options.port });
      const log = createLog({ level: config.LOG_LEVEL });
      for (const event of ['uncaughtException', 'unhandledRejection'] as const) {
        process.on(event, (error: unknown) => {
          log.fatal({ err: error }, 'a bug ends this process');
          process.exit(1);
        });
      }
      const asked = stopSignal();
      const running = await startFieldfare({ config, roles: options.roles, log, report: (line) => console.log(line) });
      const reason = await Promise.race([asked, running.died]);
      if (reason === undefined) console.log('Stopping: answering what was asked and ending the jobs in progress');
      else log.fatal(reason);
      await running.stop();
      if (reason === undefined) console.log('Stopped');
      process.exit(reason === undefined ? 0 : 1);
    });
}

function parseRoles(list: string): ReadonlySet<Role> {
  const wanted = list.split(',').map((role) => role.trim());
  const unknown = wanted.filter((role) => !roles.some((known) => known === role));
  if (unknown.length > 0) throw new InvalidArgumentError(`There is no role ${unknown.join(', ')}.`);
  return new Set(wanted as Role[]);
}

/** Resolves at the first wish to stop; a second one, a moment later, is obeyed at once. */
function stopSignal(): Promise<undefined> {
  let askedAt: number | undefined;
  return new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
      process.on(signal, () => {
        const now = Date.now();
        if (askedAt !== undefined && now - askedAt > duplicateSignalMs) {
          console.log('Stopping at once');
          process.exit(1);
        }
        askedAt ??= now;
        resolve(undefined);
      });
    }
  });
}
