import { storeRemoteEmojis } from '../../server/emojis/index.ts';
import { createInvite, findInvite } from '../../server/users/invites/index.ts';
import { newId } from '../../server/platform/ids.ts';
import { createStaffWebhook, setStaffWebhookEnabled } from '../../server/webhooks/staff/index.ts';
import { idOf, type Listing } from '../listings/listing.ts';
import type { TestServer, TestUser } from '../server.ts';

/** The invites of all users, and the custom emojis. */
export async function siteListings(server: TestServer): Promise<Listing[]> {
  const { app, db } = server;
  const staff = await server.user('site_staff', { role: 'admin', scopes: 'admin:read admin:write' });
  const [invites, emojis] = ['/api/v1/fieldfare/admin/invites', '/api/v1/fieldfare/admin/custom_emojis'];
  let count = 0;
  return [
    {
      route: invites,
      url: `${invites}?account_id=${staff.id}&state=available`,
      client: staff,
      keyOf: idOf,
      add: async () => (await findInvite(app, await createInvite(app, 'system', { username: 'site_staff' })))?.id,
      remove: (id) =>
        db
          .deleteFrom('invites')
          .where('id', '=', id as never)
          .execute(),
    },
    {
      route: emojis,
      url: `${emojis}?by_domain=emojis.example&shortcode=listed&state=enabled`,
      client: staff,
      keyOf: idOf,
      add: async () => {
        count += 1;
        const shortcode = `listed${count}`;
        const url = `https://emojis.example/${count}.png`;
        await storeRemoteEmojis(app, 'emojis.example', [{ shortcode, url, updatedAt: undefined }]);
        const stored = db.selectFrom('custom_emojis').select('id').where('shortcode', '=', shortcode);
        return (await stored.executeTakeFirstOrThrow()).id;
      },
      remove: (id) =>
        db
          .deleteFrom('custom_emojis')
          .where('id', '=', id as never)
          .execute(),
    },
    await deliveryListing(server, staff),
  ];
}

/** The log of a webhook of staff, which is disabled so that other listings add nothing to it. */
async function deliveryListing({ app, db, clock }: TestServer, staff: TestUser): Promise<Listing> {
  const manager = { staff: 'system', permissions: 0n } as const;
  const { id } = await createStaffWebhook(app, manager, { url: 'https://news.test/', events: ['report.created'] });
  await setStaffWebhookEnabled(app, 'system', { id, enabled: false });
  const createDelivery = () => ({
    id: newId<'webhook-delivery'>(clock.now()),
    webhook_id: id,
    event: 'report.created' as const,
    state: 'delivered' as const,
    created_at: clock.now(),
  });
  return {
    route: '/api/v1/fieldfare/admin/webhooks/:id/deliveries',
    url: `/api/v1/fieldfare/admin/webhooks/${id}/deliveries`,
    client: staff,
    keyOf: idOf,
    add: async () => {
      const insert = db.insertInto('webhook_deliveries').values(createDelivery()).returning('id');
      return (await insert.executeTakeFirstOrThrow()).id;
    },
    remove: (key) =>
      db
        .deleteFrom('webhook_deliveries')
        .where('id', '=', key as never)
        .execute(),
  };
}
