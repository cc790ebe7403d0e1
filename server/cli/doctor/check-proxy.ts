import { sql } from 'kysely';
import { WebSocket } from 'ws';
import { createToken, revokeTokens } from '../../oauth/index.ts';
import type { App } from '../../platform/app.ts';
import { toError } from '../../platform/errors.ts';
import type { UserId } from '../../platform/ids.ts';
import { transaction } from '../../platform/write/transaction.ts';
import { findOrCreateApplication } from '../account/issue-token.ts';
import type { Finding } from './finding.ts';

const subject = 'proxy';
const timeoutMs = 10_000;
const scopes = ['read:accounts', 'read:statuses'];

/**
 * Checks that BASE_URL leads to this server, and that a WebSocket through it is answered: uses both with a token of the
 * first user, which is revoked afterwards and which no other server knows.
 */
export async function checkProxy(app: App): Promise<Finding[]> {
  const userId = await findUser(app);
  if (userId === undefined)
    return [{ subject, state: 'ok', detail: 'not tried: there is no user yet with whose token it could be' }];
  const applicationId = await findOrCreateApplication(app, 'Fieldfare doctor', scopes);
  try {
    const token = await createToken(app, { userId, applicationId, scopes });
    const request = await checkRequest(app, token);
    return request.state === 'ok' ? [request, await checkWebSocket(app, token)] : [request];
  } finally {
    await transaction(app, (tx) => revokeTokens(tx, { userId, applicationId }));
  }
}

async function findUser(app: App): Promise<UserId | undefined> {
  const { rows } = await sql<{ id: UserId }>`
    select "user".id from users "user" join accounts account on account.id = "user".account_id
    where "user".confirmed_at is not null and "user".approved and not "user".disabled
      and account.suspended_at is null and account.deleted_at is null
    order by "user".id limit 1`.execute(app.db);
  return rows[0]?.id;
}

async function checkRequest({ config: { baseUrl } }: App, token: string): Promise<Finding> {
  const url = `${baseUrl}/api/v1/accounts/verify_credentials`;
  const headers = { authorization: `Bearer ${token}` };
  try {
    const signal = AbortSignal.timeout(timeoutMs);
    const response = await fetch(url, { headers, redirect: 'manual', signal });
    await response.body?.cancel();
    if (response.status === 200) return { subject, state: 'ok', detail: `${baseUrl} leads to this server` };
    const answer = `${baseUrl} answers a request for this server with ${response.status}`;
    if (response.status !== 401)
      return { subject, state: 'warn', detail: answer, fix: 'Look at the log of the server and of the proxy.' };
    const fix = 'Let the proxy pass requests on to this server, with the header Authorization. See deploy/proxies.';
    return { subject, state: 'fail', detail: `${answer}, as another server would`, fix };
  } catch (error) {
    const { message, cause } = toError(error);
    const reason = cause === undefined ? message : toError(cause).message;
    const fix = 'Start the server and the proxy, or check BASE_URL. Ignore this if only others can reach that address.';
    return { subject, state: 'warn', detail: `${baseUrl} does not answer: ${reason}`, fix };
  }
}

async function checkWebSocket({ config }: App, token: string): Promise<Finding> {
  const origin = (config.STREAMING_BASE_URL ?? config.baseUrl).replace(/^http/u, 'ws').replace(/\/+$/u, '');
  const problem = await pingWebSocket(`${origin}/api/v1/streaming`, token);
  if (problem === undefined) return { subject, state: 'ok', detail: 'WebSockets are passed on' };
  const fix = 'Let the proxy pass on WebSockets: HTTP/1.1, the headers Upgrade and Connection. See deploy/proxies.';
  return { subject, state: 'fail', detail: `apps get no events: a WebSocket to ${origin} ${problem}`, fix };
}

/** Opens a WebSocket and waits for the answer to a message. Returns what went wrong; undefined: nothing. */
async function pingWebSocket(url: string, token: string): Promise<string | undefined> {
  const headers = { authorization: `Bearer ${token}` };
  const socket = new WebSocket(url, { headers, handshakeTimeout: timeoutMs });
  const { promise, resolve } = Promise.withResolvers<string | undefined>();
  const timer = setTimeout(() => resolve('is silent'), timeoutMs);
  socket
    .on('open', () => socket.send('{"type":"ping"}'))
    .on('message', () => resolve(undefined))
    .on('unexpected-response', (_request, { statusCode }) => resolve(`is answered with ${statusCode}`))
    .on('close', (code) => resolve(`is closed with ${code}`))
    .on('error', ({ message }) => resolve(`fails: ${message}`));
  try {
    return await promise;
  } finally {
    clearTimeout(timer);
    socket.terminate();
  }
}
