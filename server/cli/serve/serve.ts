import { openServerDatabase } from '../open/open-database.ts';
import type { RunningFieldfare, ServeOptions } from './serve-options.ts';

/**
 * Starts a server: database, migrations, requests, jobs. Throws CliError, EmbeddedError or ConfigError for problems that a
 * person must fix; then nothing is left running.
 */
export async function startFieldfare(options: ServeOptions): Promise<RunningFieldfare> {
  const launched = Promise.withResolvers<void>();
  const opening = openServerDatabase(options.config, options.log, {
    onProgress: options.report,
    onLaunched: launched.resolve,
  });
  // The program is loaded while PostgreSQL starts.
  await Promise.race([launched.promise, opening]);
  const { startServer } = await import('./start-server.ts');
  return startServer(options, await opening);
}
