// The thread of bulk-requests.ts. It sends requests at a lower priority than what users wait for.
import { constants, getPriority, setPriority } from 'node:os';
import { parentPort, workerData } from 'node:worker_threads';
import { sendError, type BulkRequestMessage, type BulkResultMessage } from './bulk-messages.ts';
import { createHttpClient, type HttpClientSettings } from './http-client.ts';

const priorityStep = 5;
/** Idle ones included: each takes 70 KB. To connect again with the TLS session costs a millisecond of CPU. */
const maxSockets = 256;

const settings: HttpClientSettings = workerData;
const client = createHttpClient({ ...settings, maxSockets });
lowerPriority();
parentPort?.on('message', (message: BulkRequestMessage) => void send(message));

async function send({ id, url, request: { body, ...request } }: BulkRequestMessage): Promise<void> {
  try {
    // A buffer arrives as an array of its bytes.
    const bytes = typeof body === 'object' ? Buffer.from(body.buffer, body.byteOffset, body.byteLength) : body;
    const response = await client.request(url, { ...request, ...(bytes !== undefined && { body: bytes }) });
    const { body: _, ...head } = response;
    reply({ id, response: head });
  } catch (error) {
    reply({ id, failure: sendError(error) });
  }
}

function reply(message: BulkResultMessage): void {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- only windows have a target origin
  parentPort?.postMessage(message);
}

/** On Linux a priority is that of the calling thread; elsewhere it would be that of the whole process. */
function lowerPriority(): void {
  if (process.platform !== 'linux') return;
  try {
    setPriority(0, Math.min(getPriority(0) + priorityStep, constants.priority.PRIORITY_LOW));
  } catch {
    // Some sandboxes forbid the call. Then the thread runs at normal priority.
  }
}
