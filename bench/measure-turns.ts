import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import type { LoopTurns } from './watch-event-loop.ts';

/** Option of Node by which a server can be watched. */
export const watchOption = `--import=${pathToFileURL(join(import.meta.dirname, 'watch-event-loop.ts')).href}`;

/** Time in which a server begins to watch. */
const startMs = 100;
const pollMs = 50;

/** Watches the event loop of a server that was started with `watchOption` and `file` as EVENT_LOOP_FILE. */
export async function measureTurns(server: number, file: string): Promise<{ end(): Promise<LoopTurns> }> {
  rmSync(file, { force: true });
  process.kill(server, 'SIGUSR2');
  await pause(startMs);
  return {
    async end() {
      process.kill(server, 'SIGUSR2');
      for (;;) {
        await pause(pollMs);
        const turns = readTurns(file);
        if (turns !== undefined) return turns;
      }
    },
  };
}

function readTurns(file: string): LoopTurns | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as LoopTurns;
  } catch {
    // Not written yet.
    return undefined;
  }
}
