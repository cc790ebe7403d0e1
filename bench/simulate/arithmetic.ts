import {
  busyCores,
  costs,
  dailyBytes,
  habits,
  neededCores,
  ratesOf,
  rowBytes,
  streamBytes,
  type Kind,
} from './model.ts';

/** Share of the time in which cores are busy at the peak. */
const busy = 0.6;
/** Connections that a pooler opens to PostgreSQL, as in deploy/pgbouncer/pgbouncer.ini. */
const pooledConnections = 10;

const kinds: readonly (readonly [kind: Kind, name: string])[] = [
  ['read', 'reads'],
  ['post', 'posts'],
  ['reaction', 'reactions'],
  ['received', 'received activities'],
  ['feedEntry', 'entries in home feeds'],
  ['delivery', 'deliveries'],
  ['streamed', 'events of streams'],
];

/** Returns the table of docs/scaling.md for servers with these numbers of active people, as lines of Markdown. */
export function renderArithmetic(sizes: readonly number[]): string[] {
  const row = (name: string, cost: string, cell: (people: number) => string): string =>
    `| ${[name, cost, ...sizes.map(cell)].join(' | ')} |`;
  const bytesRow = (name: string, kind: keyof typeof rowBytes): string =>
    row(name, `${rowBytes[kind].toLocaleString('en')} bytes`, (people) =>
      formatBytes(dailyBytes(people, habits)[kind]),
    );
  return [
    row('at the peak, in a second', 'CPU of one (Node, PostgreSQL)', (people) => people.toLocaleString('en')),
    `|${'---|'.repeat(sizes.length + 2)}`,
    ...kinds.map(([kind, name]) =>
      row(name, `${costs[kind].node}, ${costs[kind].postgres} ms`, (people) =>
        formatRate(ratesOf(people, habits)[kind]),
      ),
    ),
    row('**cores busy**: web', '', (people) => formatCores(busyCores(people, habits).web)),
    row('worker', '', (people) => formatCores(busyCores(people, habits).worker)),
    row('PostgreSQL', '', (people) => formatCores(busyCores(people, habits).postgres)),
    row('processes at 60 % busy: web, worker', '', (people) => {
      const { web, worker } = neededCores(people, habits, busy);
      return `${web}, ${worker}`;
    }),
    row('connections to PostgreSQL: ten of a pooler, one of each process', '', (people) => {
      const { web, worker } = neededCores(people, habits, busy);
      return String(pooledConnections + web + worker);
    }),
    row('open streams, their memory', `${(streamBytes / 1_000).toFixed(1)} KB`, (people) => {
      const streams = people * habits.streaming;
      return `${streams.toLocaleString('en')}, ${formatBytes(streams * streamBytes)}`;
    }),
    bytesRow('new rows a day: posts, with search entry and counters', 'post'),
    bytesRow('reactions', 'reaction'),
    bytesRow('entries in home feeds, most of which trimming deletes again', 'feedEntry'),
  ];
}

const formatRate = (rate: number): string => (rate < 10 ? rate.toFixed(1) : Math.round(rate).toLocaleString('en'));
const formatCores = (cores: number): string => cores.toFixed(cores < 1 ? 2 : 1);

function formatBytes(bytes: number): string {
  const rounded = Number(bytes.toPrecision(2));
  return rounded < 1e9 ? `${rounded / 1e6} MB` : `${rounded / 1e9} GB`;
}
