import type { TestServer } from '../server.ts';
import { expectOk, idOf, post, type Listing } from './listing.ts';

/** The log of a webhook. Its entries are deleted by the server only. */
export async function webhookListings(server: TestServer): Promise<Listing[]> {
  const owner = await server.user('webhook_owner');
  const webhooks = '/api/v1/fieldfare/webhooks';
  const { id } = (await expectOk(owner.post(webhooks, { url: 'https://news.test/', events: ['status.created'] }))).json;
  const url = `${webhooks}/${id}/deliveries`;
  return [
    {
      route: `${webhooks}/:id/deliveries`,
      url,
      client: owner,
      keyOf: idOf,
      add: async () => {
        await post(owner, 'News', { visibility: 'unlisted' });
        return (await expectOk(owner.get(`${url}?limit=1`))).json[0].id as string;
      },
      remove: (key) => server.pool.query('delete from webhook_deliveries where id = $1', [key]),
    },
  ];
}
