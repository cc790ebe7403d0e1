import { storeRemoteEmojis } from '../../server/emojis/index.ts';
import { createInvite, findInvite } from '../../server/users/invites/index.ts';
import { idOf, type Listing } from '../listings/listing.ts';
import type { TestServer } from '../server.ts';

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
  ];
}
