import { styleText } from 'node:util';
import type { Command } from 'commander';
import { diagnose } from './diagnose.ts';
import type { Finding } from './finding.ts';
import { userFacingMessage } from '../cli-error.ts';
import { withApp } from '../open/open-app.ts';
import { commandLog, jsonOption, type OutputOptions } from '../output.ts';
import { commandConfig } from '../command-config.ts';

export function addDoctorCommand(program: Command): void {
  program
    .command('doctor')
    .description('Check this server for problems and show how to fix them')
    .option(...jsonOption)
    .action(async (options: OutputOptions) => {
      const findings = await diagnoseAll();
      if (options.json === true) console.log(JSON.stringify(findings));
      else for (const finding of findings) console.log(formatFinding(finding));
      process.exitCode = findings.some(({ state }) => state === 'fail') ? 1 : 0;
    });
}

/** Invalid settings or an unavailable database are findings too; the other checks need both. */
async function diagnoseAll(): Promise<Finding[]> {
  try {
    const config = commandConfig();
    // Without Valkey an App does not open, but everything else can be checked.
    const usable = { ...config, VALKEY_URL: undefined };
    return await withApp(usable, commandLog(), (app) => diagnose({ ...app, config }));
  } catch (error) {
    const message = userFacingMessage(error);
    if (message === undefined) throw error;
    const subject = (error as Error).name === 'ConfigError' ? 'settings' : 'database';
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
