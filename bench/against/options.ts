import { parseArgs } from 'node:util';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    accounts: { type: 'string', default: '2000' },
    statuses: { type: 'string', default: '100000' },
    rounds: { type: 'string', default: '9' },
    /** CPU of a measurement in milliseconds. Reads, deliveries and streams are repeated until they need it. */
    cpu: { type: 'string', default: '400' },
    /** Measures only the rows whose names contain one of these texts. */
    only: { type: 'string', multiple: true },
    connections: { type: 'string', default: '4' },
    /** Streams that receive a post. */
    readers: { type: 'string', default: '500' },
    /** Remote followers who receive a post, each at an inbox of its own. */
    followers: { type: 'string', default: '200' },
    /** Port of the remote hosts. The next two are those of the servers. */
    port: { type: 'string', default: '4001' },
  },
});
const [commit] = positionals;
if (commit === undefined || positionals.length > 1) {
  process.stderr.write('Usage: npm run bench -- against COMMIT [--only TEXT] [--rounds 9] [--accounts 2000] …\n');
  process.exit(1);
}

/** The options of the command line. */
export const options = {
  ...values,
  commit,
  rounds: Number(values.rounds),
  cpuMs: Number(values.cpu),
  connections: Number(values.connections),
  readers: Number(values.readers),
  followers: Number(values.followers),
  port: Number(values.port),
};

/** What `prepare.ts` needs to know. */
export interface PreparedOptions {
  readonly dataDir: string;
  readonly baseUrl: string;
  readonly port: string;
  /** Part of the addresses of remote accounts. */
  readonly networkPort: number;
  readonly accounts: string;
  readonly statuses: string;
  readonly readers: number;
  readonly followers: number;
}

/** Returns whether a row is to be measured. */
export const isSelected = (name: string): boolean => options.only?.some((text) => name.includes(text)) ?? true;
