import { execFileSync, fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { constants, setPriority, tmpdir } from 'node:os';
import { join } from 'node:path';
import type { NetworkCommand, NetworkCounts, NetworkPlan } from './network-process.ts';
import { createKeys, keyIndexOf, networkDomain, type PeerKey } from './peers.ts';

const keyCount = 10;

/** Remote hosts on this machine, which speak TLS. */
export class Network {
  readonly #folder = mkdtempSync(join(tmpdir(), 'fieldfare-network-'));
  readonly port: number;
  /** File with the certificate of all hosts. */
  readonly certificate = join(this.#folder, 'certificate.pem');
  readonly keys: readonly PeerKey[];
  #child: ChildProcess | undefined;

  /** `keys` are those of a network that ran earlier, if a server is to know its actors. */
  constructor(port: number, keys = createKeys(keyCount)) {
    this.port = port;
    this.keys = keys;
  }

  /** `hasLowPriority`: what the server needs of the machine goes first, as real hosts are other machines. */
  async start({
    http2,
    hasLowPriority = false,
  }: {
    readonly http2: boolean;
    readonly hasLowPriority?: boolean;
  }): Promise<void> {
    const key = join(this.#folder, 'key.pem');
    const name = ['-subj', `/CN=${networkDomain}`, '-addext', `subjectAltName=DNS:*.${networkDomain}`];
    const kind = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '2'];
    const files = ['-keyout', key, '-out', this.certificate];
    execFileSync('openssl', ['req', '-x509', ...kind, ...name, ...files], { stdio: 'ignore' });
    const plan: NetworkPlan = {
      port: this.port,
      certificate: this.certificate,
      key,
      publicKeys: this.keys.map(({ publicKeyPem }) => publicKeyPem),
      http2,
    };
    this.#child = fork(join(import.meta.dirname, 'network-process.ts'), [JSON.stringify(plan)]);
    await once(this.#child, 'message');
    if (hasLowPriority) setPriority(this.id, constants.priority.PRIORITY_LOW);
  }

  /** Of the process of the hosts. */
  get id(): number {
    const id = this.#child?.pid;
    if (id === undefined) throw new Error('the network is not running');
    return id;
  }

  /** Environment of a server that reaches the hosts: it resolves their names and trusts their certificate. */
  get env(): Record<string, string> {
    const loader = join(import.meta.dirname, 'resolve-to-loopback.mjs');
    return {
      NODE_OPTIONS: `${process.env['NODE_OPTIONS'] ?? ''} --import=${loader}`,
      NETWORK_DOMAIN: networkDomain,
      NODE_EXTRA_CA_CERTS: this.certificate,
      ALLOW_PRIVATE_ADDRESSES: 'on',
    };
  }

  /** Returns the key of an actor. */
  keyOf(uri: string): PeerKey {
    const key = this.keys[keyIndexOf(uri, keyCount)];
    if (key === undefined) throw new Error(`${uri} is not an actor of the network`);
    return key;
  }

  /** Runs a command and returns the counts after it. */
  async command(command: NetworkCommand): Promise<NetworkCounts> {
    if (this.#child === undefined) throw new Error('the network is not running');
    this.#child.send(command);
    const [counts] = (await once(this.#child, 'message')) as [NetworkCounts];
    return counts;
  }

  async stop(): Promise<void> {
    if (this.#child?.connected === true) {
      const ended = once(this.#child, 'exit');
      this.#child.disconnect();
      await ended;
    }
    rmSync(this.#folder, { recursive: true, force: true });
  }
}
