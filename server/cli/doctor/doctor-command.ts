import { styleText } from 'node:util';
import type { Command } from 'commander';
import type { Finding } from './finding.ts';
import { ExitError, userFacingMessage } from '../cli-error.ts';
import { commandLog, jsonOption, print, type OutputOptions } from '../output.ts';
import { commandConfig } from '../command-config.ts';
import type { CommandOptions } from '../shell.ts';
import { toError } from '../../platform/errors.ts';

export function addDoctorCommand(command: Command): void {
  command.option(...jsonOption).action(async (options: OutputOptions) => {
    const findings = await diagnoseAll(options);
    print(options, findings, () => findings.map(formatFinding));
    if (findings.some(({ state }) => state === 'fail')) throw new ExitError(1);
  });
}

/** Invalid settings or an unavailable database are findings too; the other checks need both. */
async function diagnoseAll(options: CommandOptions): Promise<Finding[]> {
  try {
    const config = commandConfig(options);
    // Without Valkey an App does not open, but everything else can be checked.
    const usable = { ...config, VALKEY_URL: undefined };
    const { withApp } = await import('../open/open-app.ts');
    return await withApp(usable, commandLog(options), async (app) => {
      const { diagnose } = await import('./diagnose.ts');
      return diagnose({ ...app, config });
    });
  } catch (error) {
    const message = userFacingMessage(error);
    if (message === undefined) throw error;
    const subject = toError(error).name === 'ConfigError' ? 'settings' : 'database';
    return message.split('\n').map((detail) => ({ subject, state: 'fail', detail }));
  }
}

const stateLabels = {
  ok: styleText('green', 'ok  '),
  warn: styleText('yellow', 'warn'),
  fail: styleText('red', 'fail'),
};

function formatFinding({ subject, state, detail, fix }: Finding): string {
  return `${stateLabels[state]}  ${subject.padEnd(10)} ${detail}${fix === undefined ? '' : `\n      ${fix}`}`;
}
