import { parseArgs } from 'node:util';

const definitions = {
  accounts: { type: 'string', default: '2000', help: 'accounts of the demo data' },
  statuses: { type: 'string', default: '100000', help: 'posts of the demo data' },
  rounds: { type: 'string', default: '9', help: 'rounds in which each row is measured' },
  cpu: { type: 'string', default: '400', help: 'CPU of a measurement in ms; what costs less is repeated' },
  only: { type: 'string', multiple: true, help: 'measure only rows whose names contain this text; may be repeated' },
  connections: { type: 'string', default: '4', help: 'connections that send requests' },
  readers: { type: 'string', default: '500', help: 'streams that receive a post, at least 21' },
  followers: {
    type: 'string',
    default: '200',
    help: 'remote followers who receive a post, each at an inbox of its own',
  },
  port: { type: 'string', default: '4001', help: 'port of the remote hosts; the next two are those of the servers' },
  help: { type: 'boolean', default: false, help: 'print this' },
} as const;

const { values, positionals } = parseArgs({ allowPositionals: true, options: definitions });
const [commit = ''] = positionals;
if (values.help || positionals.length !== 1) {
  const lines = Object.entries(definitions).map(([name, { help, ...option }]) => {
    const usual = 'default' in option && option.type === 'string' ? ` (${option.default})` : '';
    return `  --${name.padEnd(13)}${help}${usual}\n`;
  });
  process.stderr.write(`Usage: npm run bench -- against COMMIT [OPTIONS]\n\n${lines.join('')}`);
  process.exit(values.help ? 0 : 1);
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
