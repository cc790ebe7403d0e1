import { expect } from 'vitest';
import type { WebUser } from './web-server.ts';

/** Sets the language in which a user sees the client, pages and mails. */
export async function chooseLanguage(url: string, { accessToken }: WebUser, locale: string): Promise<void> {
  const response = await fetch(`${url}/api/v1/fieldfare/preferences`, {
    method: 'PATCH',
    headers: { authorization: `Bearer ${accessToken}`, 'content-type': 'application/json' },
    body: JSON.stringify({ locale }),
  });
  expect(response.status).toBe(200);
}
