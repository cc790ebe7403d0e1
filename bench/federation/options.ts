import { parseArgs } from 'node:util';

const { values } = parseArgs({
  options: {
    accounts: { type: 'string', default: '300' },
    statuses: { type: 'string', default: '20000' },
    rounds: { type: 'string', default: '3' },
    /** Activities of a case in a round. */
    activities: { type: 'string', default: '2000' },
    /** Activities that wait to be processed while others are accepted. */
    waiting: { type: 'string', default: '10000' },
    /** Posts of a delivery case in a round. */
    posts: { type: 'string', default: '4' },
    connections: { type: 'string', default: '16' },
    /** Hosts with followers; as many others have authors. */
    hosts: { type: 'string', default: '50' },
    followers: { type: 'string', default: '500' },
    authors: { type: 'string', default: '200' },
    /** Whether the hosts offer HTTP/2. */
    http2: { type: 'boolean', default: false },
    port: { type: 'string', default: '3994' },
    /** Port of the hosts. */
    'network-port': { type: 'string', default: '3995' },
    /** `inbox`, `delivery`, `accepting`, or part of the name of a case. */
    only: { type: 'string' },
    /** Print the slowest statements of each case. */
    statements: { type: 'boolean', default: false },
    /** Store a CPU profile of the server in this folder. */
    profile: { type: 'string' },
    /** A folder that is filled with demo data the first time, and kept. Default: a temporary one. */
    data: { type: 'string' },
    /** Print the section and do not write docs/benchmarks.md. */
    print: { type: 'boolean', default: false },
  },
});

/** The options of the command line. */
export const options = {
  ...values,
  rounds: Number(values.rounds),
  activities: Number(values.activities),
  waiting: Number(values.waiting),
  posts: Number(values.posts),
  connections: Number(values.connections),
  networkPort: Number(values['network-port']),
  size: { hosts: Number(values.hosts), followers: Number(values.followers), authors: Number(values.authors) },
};

/** Returns whether a case of a group is to be measured. */
export const isSelected = (group: string, { name }: { readonly name: string }): boolean =>
  options.only === undefined || options.only === group || name.includes(options.only);

/** Returns the command that measures the same. */
export function describeCommand(): string {
  const data =
    options.data === undefined ? `--accounts ${values.accounts} --statuses ${values.statuses}` : '--data FOLDER';
  const { rounds, activities, waiting, posts, connections } = options;
  const counts = `--rounds ${rounds} --activities ${activities} --waiting ${waiting} --posts ${posts} --connections ${connections}`;
  return `npm run bench -- federation ${data} ${counts}${options.http2 ? ' --http2' : ''}`;
}
