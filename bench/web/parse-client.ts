import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { ClientAdapter } from './client-adapter.ts';
import { rivals } from './rival-adapters.ts';

/** A built client. */
export interface ComparedClient {
  readonly adapter: ClientAdapter;
  /** Version or commit, for the report. Empty if it is not known. */
  readonly version: string;
  /** Folder with index.html, or the address of a server on this machine. Empty: our server. */
  readonly source: string;
}

/** Parses `name=source` or `name@version=source`. Throws if there is no such client or no such folder. */
export function parseClient(argument: string): ComparedClient {
  const [, name = '', version = '', source = ''] = /^([a-z]+)(?:@([^=]+))?=(.+)$/.exec(argument) ?? [];
  const adapter = rivals[name];
  const known = Object.keys(rivals).join(', ');
  if (adapter === undefined)
    throw new Error(`--client ${argument}: write NAME=FOLDER or NAME=URL with one of these names: ${known}`);
  if (!source.includes('://') && !existsSync(join(source, 'index.html')))
    throw new Error(`--client ${argument}: ${source} has no index.html; build ${adapter.title} and name that folder`);
  if (source.includes('://') && !/^(localhost|127\.0\.0\.1|\[::1\])$/.test(new URL(source).hostname))
    throw new Error(`--client ${argument}: only addresses of this machine are measured`);
  return { adapter, version, source };
}
