import { Cron } from 'croner';
import { sql } from 'kysely';
import type { App } from '../app.ts';
import { writeStatement } from '../write/write-statement.ts';
import { inStoredTrace } from '../tracing/span.ts';
import { reportTemporaryFailure } from '../temporary-failures.ts';

/** Recurring work. Each slot runs once, however many processes there are. */
export interface Schedule {
  readonly name: string;
  /** Cron pattern in UTC. */
  readonly pattern: string;
  run(app: App): Promise<void>;
}

/** Runs schedules by the clock. Returns a function that stops them. */
export function startSchedules(app: App, schedules: readonly Schedule[]): () => void {
  const crons = schedules.map(
    (schedule) =>
      new Cron(schedule.pattern, { utcOffset: 0, protect: true }, async (self: Cron) => {
        try {
          await runScheduleSlot(app, schedule, self.currentRun() ?? app.clock.now());
        } catch (error) {
          if (!reportTemporaryFailure(app, error)) {
            app.log.error({ err: error, schedule: schedule.name }, 'a schedule failed');
          }
        }
      }),
  );
  return () => {
    for (const cron of crons) cron.stop();
  };
}

/** Runs a schedule for one slot (to the second), unless another process already does. */
export async function runScheduleSlot(app: App, schedule: Schedule, slot: Date): Promise<boolean> {
  const second = new Date(Math.floor(slot.getTime() / 1000) * 1000);
  const { numAffectedRows } = await writeStatement(
    app,
    sql`insert into schedule_slots (schedule, slot) values (${schedule.name}, ${second}) on conflict do nothing`,
  );
  if (numAffectedRows === 0n) return false;
  await inStoredTrace(
    app,
    () => ({ name: schedule.name, kind: 'internal', traceParent: null }),
    () => schedule.run(app),
  );
  return true;
}

/** Deletes slots that are more than a day old. */
export const deleteOldSlots: Schedule = {
  name: 'platform.delete_schedule_slots',
  pattern: '7 4 * * *',
  async run(app) {
    const before = new Date(app.clock.now().getTime() - 86_400_000);
    await writeStatement(app, sql`delete from schedule_slots where slot < ${before}`);
  },
};
