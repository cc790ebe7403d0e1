// Runs a schedule of an installation at once, in a process of its own: node test/ops/run-schedule.ts NAME
import { pino } from 'pino';
import { schedules } from '../../server/app.ts';
import { commandConfig } from '../../server/cli/command-config.ts';
import { processShell } from '../../server/cli/shell.ts';
import { withApp } from '../../server/cli/open/open-app.ts';

const schedule = schedules.find(({ name }) => name === process.argv[2]);
if (schedule === undefined) throw new Error(`no schedule: ${process.argv[2]}`);
await withApp(commandConfig({ shell: processShell() }), pino({ level: 'silent' }), (app) => schedule.run(app));
