/** One of several servers in an address of PostgreSQL. */
export interface ServerAddress {
  readonly host: string;
  readonly port: number;
  /** The address with this server only. */
  readonly connectionString: string;
}

const defaultPort = '5432';
/** What `target_session_attrs` may ask for. In PostgreSQL's own client they differ by settings that Fieldfare overrides. */
const primaryAttributes: readonly string[] = ['read-write', 'primary'];
const protocols = ['postgres:', 'postgresql:'];

/**
 * Returns the servers of an address such as `postgres://user@one:5432,two:5432/database`, of which one accepts writes. None
 * if it has one server and no `target_session_attrs`: then that server is used, whatever it is. Throws if it is no address
 * of PostgreSQL. An address needs no host: `postgres://user@/database?host=/folder` uses a socket.
 */
export function parseServers(address: string): ServerAddress[] {
  const [, start = '', authority = '', rest = ''] = /^(\w+:\/\/)([^/?#]*)(.*)$/su.exec(address) ?? [];
  const user = authority.slice(0, authority.lastIndexOf('@') + 1);
  const hosts = authority.slice(user.length).split(',');
  const servers = hosts.map((host) => parseServer(`${start}${user}${host}${rest}`));
  const isSeveral = servers.length > 1;
  const query = new URLSearchParams(/\?([^#]*)/u.exec(rest)?.[1]);
  if (query.get('host')?.includes(',') === true || (isSeveral && (hosts.includes('') || query.has('host'))))
    throw new Error('must list several servers as user@host1:5432,host2:5432/database');
  const attributes = query.get('target_session_attrs');
  if (attributes !== null && !primaryAttributes.includes(attributes))
    throw new Error('must have target_session_attrs=read-write, or leave it out');
  return isSeveral || attributes !== null ? servers : [];
}

function parseServer(connectionString: string): ServerAddress {
  const text = connectionString.replace(/(?<=@|\/\/)(?=\/)/u, 'localhost');
  if (!URL.canParse(text) || !protocols.includes(new URL(text).protocol))
    throw new Error('must be an address that begins with postgres:// or postgresql://');
  const { hostname, port, searchParams: query } = new URL(text);
  return {
    host: query.get('host') ?? decodeURIComponent(hostname).replaceAll(/^\[|\]$/gu, ''),
    port: Number(query.get('port') ?? (port || defaultPort)),
    connectionString,
  };
}
