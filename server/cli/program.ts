import { Command } from 'commander';
import { version } from '../platform/version.ts';

/** Creates the program without its commands. */
export function createBaseProgram(): Command {
  return new Command('fieldfare')
    .description(
      'Run and manage a Fieldfare server. Settings come from the environment and .env: docs/configuration.md',
    )
    .version(version)
    .showHelpAfterError('(add --help for usage)')
    .enablePositionalOptions()
    .exitOverride();
}
