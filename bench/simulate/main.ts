// Compares the arithmetic of docs/scaling.md with a simulation of its queues: npm run bench -- simulate. Writes a section of
// docs/benchmarks.md.
import { parseArgs } from 'node:util';
import { describeRun, writeSection } from '../write-section.ts';
import { renderArithmetic } from './arithmetic.ts';
import { busyCores, habits, neededCores } from './model.ts';
import { simulate, type SimulationResult } from './simulate.ts';

const { values } = parseArgs({
  options: {
    /** Active people of a server; may be repeated. */
    people: { type: 'string', multiple: true, default: ['10000', '100000', '1000000'] },
    /** Simulated time. */
    seconds: { type: 'string', default: '20' },
    /** Share of the time in which cores are to be busy at the peak. */
    busy: { type: 'string', default: '0.6' },
    /** Print the section and do not write docs/benchmarks.md. */
    print: { type: 'boolean', default: false },
    /** Only print the table of docs/scaling.md. */
    arithmetic: { type: 'boolean', default: false },
  },
});

if (values.arithmetic) {
  process.stdout.write(`${renderArithmetic(values.people.map(Number)).join('\n')}\n`);
  process.exit(0);
}

/** A post of an account that a tenth of the active people follow. */
const burstShare = 0.1;
const burstInboxes = 2_000;

const rows = values.people.map((text) => renderRow(Number(text)));
writeSection(
  [
    '## Queues, simulated',
    '',
    'The arithmetic of [scaling.md](scaling.md) beside a simulation, with the costs of the sections above and the same habits.',
    'Each part has the cores that the arithmetic calls for. Work arrives at random, at the rate of the peak, and is served in',
    'order; "busy" is the share of the time of the cores, by arithmetic and simulated. Delays are from the cause to the end',
    `of the work, 99 of 100. The burst is a post that enters the feeds of a tenth of the people and goes to ${burstInboxes.toLocaleString('en')} inboxes.`,
    '',
    ...describeRun('npm run bench -- simulate'),
    `- Habits, for an active person and day: ${JSON.stringify(habits).replaceAll(/[{}"]/g, '').replaceAll(',', ', ')}`,
    '',
    '| people | cores: web, worker, PostgreSQL | busy, by arithmetic | busy, simulated | read | post | received | feed | delivery | burst: last feed | last inbox |',
    '|---|---|---|---|---|---|---|---|---|---|---|',
    ...rows,
    '',
  ].join('\n'),
  values,
);

function renderRow(people: number): string {
  const needed = busyCores(people, habits);
  const cores = neededCores(people, habits, Number(values.busy));
  const parts = ['web', 'worker', 'postgres'] as const;
  const result = simulate({
    people,
    habits,
    cores,
    seconds: Number(values.seconds),
    burst: { feeds: people * burstShare, inboxes: burstInboxes },
  });
  const percent = (shares: readonly number[]): string =>
    shares.map((share) => `${Math.round(share * 100)} %`).join(', ');
  const delays = (['read', 'post', 'received', 'feedEntry', 'delivery'] as const).map((kind) =>
    formatMs(result.delays[kind].p99),
  );
  return `| ${[
    people.toLocaleString('en'),
    parts.map((part) => cores[part]).join(', '),
    percent(parts.map((part) => needed[part] / cores[part])),
    percent(parts.map((part) => result.busy[part])),
    ...delays,
    formatSeconds(result.burst.feeds),
    formatSeconds(result.burst.inboxes),
  ].join(' | ')} |`;
}

function formatMs(seconds: number): string {
  return `${(seconds * 1_000).toFixed(1)} ms`;
}

function formatSeconds(seconds: SimulationResult['burst']['feeds']): string {
  return seconds === undefined ? '' : `${seconds.toFixed(2)} s`;
}
