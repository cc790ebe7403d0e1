import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';

/** The turns of an event loop, by the CPU time of its thread, which other processes of the machine do not change. */
export interface LoopTurns {
  readonly maxMs: number;
  /** The loop spent 95 % of its CPU time in turns that were not longer. What arrives waits for the end of a turn. */
  readonly p95Ms: number;
  readonly cpuMs: number;
  /** Time of garbage collection. */
  readonly gcMs: number;
}

/** Option of Node by which a server can be watched. */
export const watchOption = `--import=${pathToFileURL(join(import.meta.dirname, 'watch-event-loop.mjs')).href}`;

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
