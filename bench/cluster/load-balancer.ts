import { execFileSync } from 'node:child_process';
import { chownSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect } from 'node:tls';
import { findFreePort } from '../../test/free-port.ts';
import { nobody, Program } from './program.ts';

const configuration = join(import.meta.dirname, '..', '..', 'deploy', 'proxies', 'haproxy.cfg');

/** Where HAProxy listens, and the processes that it passes requests to. */
export interface LoadBalancerPorts {
  readonly http: number;
  readonly https: number;
  readonly web: readonly number[];
  readonly streaming: readonly number[];
}

/** Returns a configuration of deploy/proxies with what depends on the machine: ports, certificate, users. */
export function adaptHaproxy(text: string, { http, https, ...ports }: LoadBalancerPorts, folder: string): string {
  const listServers = (name: 'web' | 'streaming', list: readonly number[]): [string, string] => [
    `  server ${name} 127.0.0.1:3000\n`,
    list.map((port, at) => `  server ${name}${at} 127.0.0.1:${port}\n`).join(''),
  ];
  return text
    .replaceAll(/^ +(?:user|group) .*\n/gm, '')
    .replace('log /dev/log', 'log stderr format raw')
    .replace('bind :::80 v4v6', `bind 127.0.0.1:${http}`)
    .replace('bind :::443 v4v6', `bind 127.0.0.1:${https}`)
    .replaceAll(...listServers('web', ports.web))
    .replaceAll(...listServers('streaming', ports.streaming))
    .replace('/etc/haproxy/social.example.pem', `${folder}/both.pem`);
}

/** Creates a key and a certificate that nobody signed: key.pem, certificate.pem, and both.pem with both. */
export function createCertificate(folder: string, domain: string): void {
  const [key, certificate] = [join(folder, 'key.pem'), join(folder, 'certificate.pem')];
  const subject = ['-subj', `/CN=${domain}`, '-days', '1', '-keyout', key, '-out', certificate];
  execFileSync('openssl', ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', ...subject], { stdio: 'ignore' });
  writeFileSync(join(folder, 'both.pem'), readFileSync(certificate, 'utf8') + readFileSync(key, 'utf8'));
}

/** HAProxy with the file of deploy/proxies. */
export class LoadBalancer implements AsyncDisposable {
  readonly program: Program;
  readonly #folder: string;

  private constructor(program: Program, folder: string) {
    this.program = program;
    this.#folder = folder;
  }

  /** `https`: where it listens. `parent`: of its folder. */
  static async start(
    https: number,
    upstreams: Pick<LoadBalancerPorts, 'web' | 'streaming'>,
    parent = tmpdir(),
  ): Promise<LoadBalancer> {
    const folder = mkdtempSync(join(parent, 'ff-haproxy-'));
    createCertificate(folder, 'localhost');
    const file = join(folder, 'haproxy.cfg');
    const ports = { ...upstreams, https, http: await findFreePort() };
    writeFileSync(file, adaptHaproxy(readFileSync(configuration, 'utf8'), ports, folder));
    if (nobody !== undefined)
      for (const name of ['.', ...readdirSync(folder)]) chownSync(join(folder, name), nobody.uid, nobody.gid);
    const args = ['-db', '-f', file];
    const program = await Program.start({ command: 'haproxy', args, user: nobody, isReady: () => canConnect(https) });
    return new LoadBalancer(program, folder);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.program[Symbol.asyncDispose]();
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

/** Returns whether a server accepts connections by TLS. */
export function canConnect(port: number, servername = 'localhost'): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host: '127.0.0.1', port, servername, rejectUnauthorized: false });
    socket.once('secureConnect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
}
