// Fills an empty server with accounts and a year of posts: npm run bench -- demo --accounts 200 --statuses 5000. Blocks a
// running server until it is done.
import { CliError } from '../../server/cli/cli-error.ts';
import { commandConfig } from '../../server/cli/command-config.ts';
import { withCommandApp } from '../../server/cli/open/command-app.ts';
import { createProgressBar } from '../../server/cli/progress-bar.ts';
import { processShell } from '../../server/cli/shell.ts';
import { markSeeded } from '../seed-once.ts';
import { parseDemoSize } from './demo-size.ts';
import { seedDemo } from './seed-demo.ts';

const command = { shell: processShell() };
const bar = createProgressBar(command);
try {
  const size = parseDemoSize(process.argv.slice(2));
  const demo = await withCommandApp(command, (app) => seedDemo(app, size, bar.show)).finally(bar.end);
  markSeeded(commandConfig(command).dataDir);
  process.stdout.write(
    `Created ${demo.accounts} accounts, ${demo.follows} follows and ${demo.statuses} posts in ${demo.seconds} s.\n` +
      `To act as one of them: npm run cli -- token create ${demo.active[0] ?? ''} --scopes "read write follow"\n` +
      `A long thread: status ${demo.longest_thread}\n` +
      'Registrations are open.\n',
  );
  process.exit(0);
} catch (error) {
  if (!(error instanceof CliError)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exit(1);
}
