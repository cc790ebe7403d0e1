import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, type TestContext } from 'vitest';
import { EncodedBody, type Client, type TestResponse } from '../client.ts';
import { findFreePort } from '../free-port.ts';
import { Installation } from '../ops/cli-process.ts';

/** A server in its own process, with a port and a data folder. */
export class RealServer implements Pick<Client, 'call'> {
  readonly url: string;
  readonly #installation: Pick<Installation, 'dataDir'>;

  constructor(url: string, installation: Pick<Installation, 'dataDir'>) {
    this.url = url;
    this.#installation = installation;
  }

  get host(): string {
    return new URL(this.url).host;
  }

  /** Sends a request without following redirects. */
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

  /** Returns the link to `path` in the mail to `address`, or undefined if none was sent yet. */
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

/** Returns a stack that is disposed after the test, also if the test times out. */
export function disposedAfter(onTestFinished: TestContext['onTestFinished']): AsyncDisposableStack {
  const stack = new AsyncDisposableStack();
  onTestFinished(() => stack.disposeAsync());
  return stack;
}

/** Starts a server on a free port that may reach others on this machine. Disposing `stack` stops it. */
export async function startRealServer(
  stack: AsyncDisposableStack,
  settings: Record<string, string> = { RATE_LIMITS: 'off' },
  host = '127.0.0.1',
): Promise<RealServer> {
  const port = await findFreePort();
  const url = `http://${host}:${port}`;
  const address = { PORT: String(port), BASE_URL: url, ALLOW_PRIVATE_ADDRESSES: 'on' };
  const installation = stack.use(
    new Installation({ ...address, LOG_LEVEL: 'warn', REGISTRATIONS: 'open', ...settings }),
  );
  await installation.run(['serve']).waitForOutput('Fieldfare is ready');
  return new RealServer(url, installation);
}

/** Polls until `load` returns a value, for results of background work. Rate limits need a long `interval`. */
export async function waitForValue<Value>(
  load: () => Promise<Value | undefined> | Value | undefined,
  options: { readonly interval?: number } = {},
): Promise<Value> {
  let value: Value | undefined;
  await expect.poll(async () => (value = await load()), options).toBeDefined();
  return value as Value;
}

function listFolder(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
