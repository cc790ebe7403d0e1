import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { EncodedBody, type Client, type TestResponse } from '../client.ts';
import { findFreePort, Installation } from '../ops/cli-process.ts';

/** A server as somebody would start it: a process, a port, a data folder. */
export class RealServer implements Pick<Client, 'call'> {
  readonly url: string;
  readonly #installation: Installation;

  constructor(url: string, place: Installation) {
    this.url = url;
    this.#installation = place;
  }

  get host(): string {
    return new URL(this.url).host;
  }

  /** Sends a request that follows no redirects. */
  async call(...[method, path, body, options = {}]: Parameters<Client['call']>): Promise<TestResponse> {
    const response = await fetch(new URL(path, this.url), {
      method,
      redirect: 'manual',
      headers: { ...(body instanceof EncodedBody && { 'content-type': body.contentType }), ...options.headers },
      ...(body instanceof EncodedBody && { body: new Uint8Array(body.payload) }),
    });
    const text = await response.text();
    return {
      status: response.status,
      headers: { ...Object.fromEntries(response.headers), 'set-cookie': response.headers.getSetCookie() },
      text,
      get json() {
        return JSON.parse(text) as unknown;
      },
      links: {},
    };
  }

  /** The link to `path` in the mail to `address`; undefined when there is none yet. */
  findMailedLink(address: string, path: string): string | undefined {
    const folder = join(this.#installation.dataDir, 'mail');
    for (const file of listFolder(folder)) {
      const text = readFileSync(join(folder, file), 'utf8').replaceAll('=\r\n', '').replaceAll('=3D', '=');
      const start = text.indexOf(this.url + path);
      if (text.includes(`To: ${address}`) && start >= 0) return /^[^\s"<>]+/.exec(text.slice(start))?.[0];
    }
    return undefined;
  }
}

/** Starts a server on a free port, which may reach others on this machine; it ends with `stack`. */
export async function startRealServer(stack: AsyncDisposableStack): Promise<RealServer> {
  const port = await findFreePort();
  const url = `http://127.0.0.1:${port}`;
  const settings = { PORT: String(port), BASE_URL: url, LOG_LEVEL: 'warn', RATE_LIMITS: 'off', REGISTRATIONS: 'open' };
  const place = stack.use(new Installation({ ...settings, ALLOW_PRIVATE_ADDRESSES: 'on' }));
  await place.run(['serve']).waitForOutput('Fieldfare is ready');
  return new RealServer(url, place);
}

/** Polls until `ask` returns a value: background work takes its time. */
export async function waitForValue<Value>(ask: () => Promise<Value | undefined> | Value | undefined): Promise<Value> {
  let value: Value | undefined;
  await expect.poll(async () => (value = await ask())).toBeDefined();
  return value as Value;
}

function listFolder(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
