import { createPublicKey, sign, verify, type KeyObject } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createSecureContext } from 'node:tls';
import { Client, Pool } from 'undici';
import { ownCpuMs } from '../raw-limits.ts';
import type { Network } from './network.ts';
import { networkDomain } from './peers.ts';

/** What the parts of federation cost by themselves, in milliseconds of CPU of one process. */
export interface FederationLimits {
  /** An RSA signature with 2048 bits. */
  readonly signMs: number;
  readonly verifyMs: number;
  /** A POST of 2 KB over TLS, on connections that are kept alive. */
  readonly postMs: number;
  /** The same on a new connection. */
  readonly newConnectionMs: number;
}

/** In a benchmark with at least so many activities in a round; fewer in a shorter one. */
const fullRound = 200;
const signCount = 1_000;
const postCount = 2_000;
const connectionCount = 300;
const concurrency = 8;
const body = 'x'.repeat(2_000);
const request = { method: 'POST', path: '/users/raw/inbox', body } as const;

/** Measures the parts. `activities`: those of a case in a round. */
export async function measureFederationLimits(network: Network, activities: number): Promise<FederationLimits> {
  const share = Math.min(1, activities / fullRound);
  const [first] = network.keys;
  if (first === undefined) throw new Error('the network has no keys');
  const data = Buffer.from('x'.repeat(300));
  const publicKey = createPublicKey(first.publicKeyPem);
  const signature = sign('RSA-SHA256', data, first.privateKey);
  const host = `h0.${networkDomain}`;
  // One for all connections: parsing the certificates costs more than a connection.
  const secureContext = createSecureContext({ ca: readFileSync(network.certificate) });
  const connect = { secureContext, servername: host, maxCachedSessions: 0 };
  const origin = `https://127.0.0.1:${network.port}`;
  const headers = { host: `${host}:${network.port}`, 'content-type': 'application/activity+json' };
  const pool = new Pool(origin, { connect, connections: concurrency });
  const post = async (client: Client | Pool): Promise<void> => {
    const answer = await client.request({ ...request, headers });
    await answer.body.dump();
  };
  const limits = {
    signMs: await measureCpu(share * signCount, async () => void sign('RSA-SHA256', data, first.privateKey)),
    verifyMs: await measureCpu(share * signCount, async () => verifyOnce(data, publicKey, signature)),
    postMs: await measureCpu(share * postCount, () => post(pool)),
    newConnectionMs: await measureCpu(share * connectionCount, async () => {
      const client = new Client(origin, { connect });
      await post(client);
      await client.close();
    }),
  };
  await pool.close();
  await network.command('reset');
  return limits;
}

function verifyOnce(data: Buffer, key: KeyObject, signature: Buffer): void {
  if (!verify('RSA-SHA256', data, key, signature)) throw new Error('the signature does not match');
}

/** Returns the CPU of this process for one of `count` runs, after some to warm up. */
async function measureCpu(wantedCount: number, run: () => Promise<void>): Promise<number> {
  const count = Math.ceil(wantedCount);
  const runMany = async (wanted: number): Promise<void> => {
    let begun = 0;
    const loop = async (): Promise<void> => {
      for (; begun < wanted;) {
        begun += 1;
        await run();
      }
    };
    await Promise.all(Array.from({ length: concurrency }, loop));
  };
  await runMany(Math.ceil(count / 4));
  const before = ownCpuMs();
  await runMany(count);
  return (ownCpuMs() - before) / count;
}
