import { expect } from 'vitest';
import type { TestServer, TestUser } from '../server.ts';

export const publicCollection = 'https://www.w3.org/ns/activitystreams#Public';
export const requests = '/api/v1/interaction_requests';

const everyone = { manual_approval: ['public'] };
/** An interaction policy: the author approves everything. */
export const approved = { can_favourite: everyone, can_reply: everyone, can_reblog: everyone };

/** Returns a document as another server gets it. */
export async function getDocument(server: TestServer, uri: string): Promise<Record<string, unknown>> {
  const headers = { host: server.app.config.webDomain, accept: 'application/activity+json' };
  const response = await server.http.inject({ method: 'GET', url: new URL(uri).pathname, headers });
  return response.json() as Record<string, unknown>;
}

/** Decides about all requests that wait, or revokes all that were accepted. Returns their types in order. */
export async function decideAll(user: TestUser, decision: 'authorize' | 'reject' | 'revoke'): Promise<string[]> {
  const state = decision === 'revoke' ? 'accepted' : 'pending';
  const listed = (await user.get(`${requests}?state=${state}`)).json as { id: string; type: string }[];
  for (const { id } of listed) expect((await user.post(`${requests}/${id}/${decision}`)).status).toBe(200);
  return listed.map(({ type }) => type).toSorted();
}
