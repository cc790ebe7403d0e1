import { Command } from 'commander';
import { version } from '../platform/version.ts';

/** The program without its commands. */
export function createBaseProgram(): Command {
  return new Command('fieldfare')
    .description(
      'Runs a Fieldfare server and looks after it. Settings come from the environment and .env: docs/configuration.md',
    )
    .version(version)
    .showHelpAfterError('(add --help for what is possible)')
    .enablePositionalOptions()
    .exitOverride();
}
