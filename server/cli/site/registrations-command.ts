import { Argument, type Command } from 'commander';
import { withCommandApp } from '../open/command-app.ts';
import { jsonOption, print, type OutputOptions } from '../output.ts';

export function addRegistrationsCommand(command: Command): void {
  command
    .addArgument(new Argument('<mode>', 'who can sign up').choices(['open', 'approval', 'closed']))
    .option('--message <html>', 'message to show while registrations are not open')
    .option(...jsonOption)
    .action(changeRegistrations);
}

async function changeRegistrations(
  mode: 'open' | 'approval' | 'closed',
  options: OutputOptions & { message?: string },
): Promise<void> {
  const { message } = options;
  const { changeSettings } = await import('../../instance/settings/index.ts');
  await withCommandApp(options, async (app) => {
    await changeSettings(app, 'system', {
      registrations: mode,
      ...(message !== undefined && { registrationsMessage: message }),
    });
    const sentences = {
      open: 'Registrations are open.',
      approval: 'Registrations need approval: see account list --pending.',
      closed: 'Registrations are closed.',
    };
    print(options, { registrations: mode }, () => [sentences[mode]]);
  });
}
