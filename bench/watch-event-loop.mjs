// Loaded before a server that is measured (--import). SIGUSR2 begins to watch its event loop; the next one ends it, and
// writes its turns (LoopTurns of measure-turns.ts) to the file EVENT_LOOP_FILE. Plain JavaScript, because threads load it
// too: reading TypeScript would take 18 MB in each.
import { writeFileSync } from 'node:fs';
import { PerformanceObserver } from 'node:perf_hooks';

/** Milliseconds between two checks of the clock. */
const samplingIntervalMs = 2;

let turns = [];
let last = 0;
let watch;
let gcMs = 0;
const collections = new PerformanceObserver((list) => {
  for (const { duration } of list.getEntries()) gcMs += duration;
});

process.on('SIGUSR2', () => {
  if (watch === undefined) {
    [turns, last, gcMs] = [[], threadCpuMs(), 0];
    collections.observe({ entryTypes: ['gc'] });
    watch = setInterval(look, samplingIntervalMs);
  } else {
    writeFileSync(process.env['EVENT_LOOP_FILE'] ?? '', JSON.stringify(summarize()));
    collections.disconnect();
    clearInterval(watch);
    watch = undefined;
  }
});

function look() {
  const now = threadCpuMs();
  turns.push(now - last);
  last = now;
}

function summarize() {
  const sorted = turns.toSorted((a, b) => a - b);
  const cpuMs = sorted.reduce((sum, ms) => sum + ms, 0);
  let sum = 0;
  const p95Ms = sorted.find((ms) => (sum += ms) >= cpuMs * 0.95) ?? 0;
  return { maxMs: sorted.at(-1) ?? 0, p95Ms, cpuMs, gcMs };
}

function threadCpuMs() {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}
