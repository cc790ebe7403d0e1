import { spawn } from 'node:child_process';
import { chownSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { request, type RequestOptions } from 'node:https';
import type { IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import { WebSocket } from 'ws';
import { adaptHaproxy, canConnect, createCertificate } from '../../bench/cluster/load-balancer.ts';
import { findFreePort } from '../free-port.ts';
import { CliProcess } from './cli-process.ts';

const configurations = join(import.meta.dirname, '..', '..', 'deploy', 'proxies');
/** The domain in the configurations. */
export const proxiedDomain = 'social.example';
/** The user and group `nobody`: as root, programs that need no rights get none. */
const nobody = 65534;

/** Where a proxy listens and what it passes requests to. */
interface ProxyPorts {
  readonly http: number;
  readonly https: number;
  readonly upstreams: readonly number[];
  readonly streaming: number | undefined;
}

/** A program that a configuration of deploy/proxies is for: how it starts with that file, on ports of this machine. */
export interface ProxyProgram {
  readonly name: string;
  readonly file: string;
  /** Replaces what depends on the machine: ports, certificate, users. */
  readonly adapt: (configuration: string, ports: ProxyPorts, folder: string) => string;
  readonly command: (file: string, folder: string) => readonly string[];
  /** Takes the address of a streaming process from the environment. */
  readonly hasStreamingUpstream?: boolean;
}

export const proxyPrograms: readonly ProxyProgram[] = [
  {
    name: 'caddy',
    file: 'Caddyfile',
    // A certificate of its own authority in place of a public one. Streams that are open do not delay its end.
    adapt: (configuration, { http, https }) =>
      `{\n admin off\n local_certs\n skip_install_trust\n grace_period 1ms\n default_bind 127.0.0.1\n http_port ${http}\n https_port ${https}\n}\n${configuration}`,
    command: (file) => ['run', '--adapter', 'caddyfile', '--config', file],
    hasStreamingUpstream: true,
  },
  {
    name: 'nginx',
    file: 'nginx.conf',
    adapt: (configuration, { http, https, upstreams }, folder) => {
      const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
        (kind) => `${kind}_temp_path ${folder}/${kind};`,
      );
      const site = configuration
        .replaceAll(/^ *listen \[::\].*\n/gm, '')
        .replace('listen 80;', `listen 127.0.0.1:${http};`)
        .replace('listen 443 ', `listen 127.0.0.1:${https} `)
        .replace('server 127.0.0.1:3000;', upstreams.map((port) => `server 127.0.0.1:${port};`).join(' '))
        .replace(/(ssl_certificate\s+)\S+;/, `$1${folder}/certificate.pem;`)
        .replace(/(ssl_certificate_key\s+)\S+;/, `$1${folder}/key.pem;`);
      return `pid ${folder}/pid; events {} http { access_log off; ${temporary.join(' ')}\n${site} }`;
    },
    command: (file, folder) => ['-g', 'daemon off;', '-e', 'stderr', '-p', folder, '-c', file],
  },
  {
    name: 'haproxy',
    file: 'haproxy.cfg',
    adapt: (configuration, { http, https, upstreams, streaming }, folder) =>
      adaptHaproxy(
        configuration,
        { http, https, web: upstreams, streaming: streaming === undefined ? upstreams : [streaming] },
        folder,
      ),
    command: (file) => ['-db', '-f', file],
  },
];

/** A request from an address of this machine. */
interface ProxiedRequest {
  readonly method?: string;
  readonly path: string;
  readonly headers?: Record<string, string>;
  readonly body?: Buffer;
  /** The address of the client. */
  readonly from?: string;
}

/** A running proxy. Disposal stops it. */
export class Proxy implements AsyncDisposable {
  readonly #process: CliProcess;
  readonly #folder: string;
  readonly #ports: ProxyPorts;

  private constructor(program: CliProcess, folder: string, ports: ProxyPorts) {
    this.#process = program;
    this.#folder = folder;
    this.#ports = ports;
  }

  /** Starts a program with its file of deploy/proxies, without rights, and waits until it listens. */
  static async start(program: ProxyProgram, upstream: number | readonly number[], streaming?: number): Promise<Proxy> {
    const upstreams = [upstream].flat();
    const folder = mkdtempSync(join(tmpdir(), 'ff-proxy-'));
    const ports = { http: await findFreePort(), https: await findFreePort(), upstreams, streaming };
    createCertificate(folder, proxiedDomain);
    const file = join(folder, program.file);
    writeFileSync(file, program.adapt(readFileSync(join(configurations, program.file), 'utf8'), ports, folder));
    const isRoot = process.getuid?.() === 0;
    if (isRoot) for (const name of ['.', ...readdirSync(folder)]) chownSync(join(folder, name), nobody, nobody);
    const child = spawn(program.name, program.command(file, folder), {
      stdio: ['ignore', 'pipe', 'pipe'],
      ...(isRoot && { uid: nobody, gid: nobody }),
      env: {
        PATH: process.env['PATH'],
        HOME: folder,
        DOMAIN: proxiedDomain,
        UPSTREAM: `127.0.0.1:${upstreams[0]}`,
        ...(streaming !== undefined && { STREAMING_UPSTREAM: `127.0.0.1:${streaming}` }),
      },
    });
    const proxy = new Proxy(new CliProcess(child), folder, ports);
    await proxy.#waitUntilListening();
    return proxy;
  }

  /** Sends a request to the proxy by TLS. The answer is complete, unless `open` is used. */
  async send(options: ProxiedRequest): Promise<{ status: number; text: string; headers: IncomingMessage['headers'] }> {
    const response = await this.open(options);
    const chunks: Buffer[] = [];
    for await (const chunk of response) chunks.push(chunk as Buffer);
    return {
      status: response.statusCode ?? 0,
      text: Buffer.concat(chunks).toString(),
      headers: response.headers,
    };
  }

  /** Sends a request. Resolves with the head of the answer. */
  open({ method = 'GET', path, headers = {}, body, from = '127.0.0.1' }: ProxiedRequest): Promise<IncomingMessage> {
    const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
    const options: RequestOptions = {
      ...this.#target(),
      method,
      path,
      headers: { host: proxiedDomain, ...headers, ...(body && { 'content-length': body.length }) },
      localAddress: from,
    };
    request(options, resolve).once('error', reject).end(body);
    return promise;
  }

  openSocket(path: string, headers: Record<string, string>): WebSocket {
    return new WebSocket(`wss://127.0.0.1:${this.#ports.https}${path}`, {
      ...this.#target(),
      headers: { host: proxiedDomain, ...headers },
    });
  }

  /** Where requests without TLS go. */
  get plainUrl(): string {
    return `http://127.0.0.1:${this.#ports.http}`;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#process.kill('SIGTERM');
    rmSync(this.#folder, { recursive: true, force: true });
  }

  #target() {
    return {
      host: '127.0.0.1',
      port: this.#ports.https,
      servername: proxiedDomain,
      rejectUnauthorized: false,
      agent: false as const,
    };
  }

  async #waitUntilListening(): Promise<void> {
    let output: string | undefined;
    void this.#process.exited.then(({ stdout, stderr }) => (output = `the proxy exited:\n${stdout}${stderr}`));
    await expect.poll(async () => output ?? (await canConnect(this.#ports.https, proxiedDomain))).not.toBe(false);
    if (output !== undefined) throw new Error(output);
  }
}
