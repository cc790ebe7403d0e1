import type { Client, TestResponse } from './client.ts';

/** Opens the link of a confirmation mail and presses its button. Returns the page of a link that has none. */
export async function confirmByLink(client: Client, link: string): Promise<TestResponse> {
  const opened = await client.get(link);
  const token = /name="confirmation_token" value="([^"]+)"/.exec(opened.text)?.[1];
  if (token === undefined) return opened;
  return client.post('/auth/confirmation', { confirmation_token: token });
}
