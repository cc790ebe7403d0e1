import { styleText } from 'node:util';
import type { Command } from 'commander';
import { examine, type Finding } from './examine.ts';
import { explain } from './failure.ts';
import { withApp } from './open-app.ts';
import { commandLog, jsonOption, type OutputOptions } from './output.ts';
import { commandConfig } from './settings.ts';

export function addDoctorCommand(program: Command): void {
  program
    .command('doctor')
    .description('Look for what is wrong with this server and say how to mend it')
    .option(...jsonOption)
    .action(async (options: OutputOptions) => {
      const findings = await examineAll();
      if (options.json === true) console.log(JSON.stringify(findings));
      else for (const finding of findings) console.log(lineOf(finding));
      process.exitCode = findings.some(({ state }) => state === 'fail') ? 1 : 0;
    });
}

/** Settings and database stand before all else: without them the rest cannot be looked at. */
async function examineAll(): Promise<Finding[]> {
  try {
    const config = commandConfig();
    return await withApp(config, commandLog(), examine);
  } catch (error) {
    const words = explain(error);
    if (words === undefined) throw error;
    const subject = (error as Error).name === 'ConfigError' ? 'settings' : 'database';
    return words.split('\n').map((detail) => ({ subject, state: 'fail', detail }));
  }
}

const marks = { ok: styleText('green', 'ok  '), warn: styleText('yellow', 'warn'), fail: styleText('red', 'fail') };

function lineOf({ subject, state, detail, mend }: Finding): string {
  return `${marks[state]}  ${subject.padEnd(10)} ${detail}${mend === undefined ? '' : `\n      ${mend}`}`;
}
