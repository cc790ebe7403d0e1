// Loaded before a server that is measured (--import). SIGUSR2 begins to watch its event loop; the next one ends it, and
// writes the longest turn in milliseconds of the thread's own CPU time to the file EVENT_LOOP_FILE.
import { writeFileSync } from 'node:fs';

/** Milliseconds between two checks of the clock. */
const samplingIntervalMs = 2;

let [busiest, last] = [0, 0];
let watch: NodeJS.Timeout | undefined;

process.on('SIGUSR2', () => {
  if (watch === undefined) {
    [busiest, last] = [0, threadCpuMs()];
    watch = setInterval(look, samplingIntervalMs);
  } else {
    writeFileSync(process.env['EVENT_LOOP_FILE'] ?? '', String(busiest));
    clearInterval(watch);
    watch = undefined;
  }
});

function look(): void {
  const now = threadCpuMs();
  busiest = Math.max(busiest, now - last);
  last = now;
}

function threadCpuMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}
