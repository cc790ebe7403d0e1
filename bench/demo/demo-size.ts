import { parseArgs } from 'node:util';
import { CliError } from '../../server/cli/cli-error.ts';
import type { DemoSize } from './seed-demo.ts';

/** Parses the options of the command. Throws CliError for a size that is not a positive whole number. */
export function parseDemoSize(args: readonly string[]): DemoSize {
  const { values } = parseArgs({
    args: [...args],
    options: {
      /** A fifth of them remote. */
      accounts: { type: 'string', default: '200' },
      /** Posts, replies and reblogs. */
      statuses: { type: 'string', default: '5000' },
      /** Average number of accounts that each follows. */
      'follows-per-account': { type: 'string', default: '50' },
      /** The same number creates the same data. */
      seed: { type: 'string', default: '1' },
    },
  });
  const parse = (name: keyof typeof values): number => {
    const number = Number(values[name]);
    if (Number.isInteger(number) && number > 0 && number <= 100_000_000) return number;
    throw new CliError(`--${name} must be a positive whole number: ${values[name]}`);
  };
  return {
    accounts: parse('accounts'),
    statuses: parse('statuses'),
    followsPerAccount: parse('follows-per-account'),
    seed: parse('seed'),
  };
}
