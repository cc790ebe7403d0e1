import { createHmac } from 'node:crypto';
import type { OutgoingRequest, OutgoingResponse } from '../server/platform/outgoing/outgoing.ts';
import { Network } from './network.ts';
import type { TestServer, TestUser } from './server.ts';

export const webhooksPath = '/api/v1/fieldfare/webhooks';

/** A message of a webhook. */
export interface ReceivedMessage {
  readonly url: string;
  readonly id: string;
  readonly timestamp: number;
  readonly signatures: readonly string[];
  readonly text: string;
  // Tests assert on the value, so its type does not matter.
  // oxlint-disable-next-line typescript/no-explicit-any
  readonly body: any;
}

/** A server and a receiver of webhooks, which stores messages and answers what a test sets. */
export class WebhookScene implements AsyncDisposable {
  readonly network = new Network();
  readonly received: ReceivedMessage[] = [];
  response: Partial<OutgoingResponse> = { status: 204 };
  readonly server: TestServer;
  readonly alice: TestUser;
  readonly bob: TestUser;

  private constructor(
    network: Network,
    { server, alice, bob }: { server: TestServer; alice: TestUser; bob: TestUser },
  ) {
    this.network = network;
    this.server = server;
    this.alice = alice;
    this.bob = bob;
    network.addHost('hooks.test', (url, request) => {
      this.received.push(parseMessage(url, request));
      return this.response;
    });
  }

  static async start(): Promise<WebhookScene> {
    const network = new Network();
    const server = await network.start('fieldfare.test');
    return new WebhookScene(network, { server, alice: await server.user('alice'), bob: await server.user('bob') });
  }

  /** Returns the messages since the last call, after all work that is due. */
  async take(): Promise<ReceivedMessage[]> {
    await this.server.drain();
    return this.received.splice(0);
  }

  /** Creates a webhook of a user and returns it with its secret. */
  async create(events: readonly string[], { user = this.alice, url = 'https://hooks.test/alice' } = {}) {
    const { status, json, text } = await user.post(webhooksPath, { url, events });
    if (status !== 200) throw new Error(`${status} ${text}`);
    return json as { id: string; secret: string };
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.network[Symbol.asyncDispose]();
  }
}

function parseMessage(url: URL, { headers = {}, body = '' }: OutgoingRequest): ReceivedMessage {
  const text = body.toString();
  return {
    url: url.href,
    id: headers['webhook-id'] ?? '',
    timestamp: Number(headers['webhook-timestamp']),
    signatures: (headers['webhook-signature'] ?? '').split(' '),
    text,
    body: JSON.parse(text),
  };
}

/** Returns the signature of a message, as a receiver computes it. */
export function signatureOf({ id, timestamp, text }: ReceivedMessage, secret: string): string {
  const key = Buffer.from(secret.replace('whsec_', ''), 'base64');
  return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${text}`).digest('base64')}`;
}
