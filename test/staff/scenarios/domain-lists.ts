import { addList, setException } from '../../../server/moderation/domain-lists/index.ts';
import type { DomainListId } from '../../../server/moderation/tables.ts';
import type { TestServer } from '../../server.ts';
import type { StaffScenarios } from '../staff-scenario.ts';

const lists = '/api/v1/fieldfare/admin/domain_lists';
const url = 'https://lists.example/blocks.csv';
const domain = 'bad.example';

/** Subscribes to a list with one entry. */
async function createList({ app, db }: TestServer): Promise<DomainListId> {
  const { id } = await addList(app, 'system', { url });
  await db
    .insertInto('domain_list_entries')
    .values({
      list_id: id,
      domain,
      severity: 'suspend',
      reject_media: true,
      reject_reports: true,
      obfuscate: false,
      public_comment: null,
      listed: true,
    })
    .execute();
  return id;
}

export const domainListScenarios: StaffScenarios = {
  [`GET ${lists}`]: async () => ({ path: lists }),
  [`POST ${lists}`]: async () => ({ path: lists, body: { url } }),
  [`GET ${lists}/:id`]: async (server) => ({ path: `${lists}/${await createList(server)}` }),
  [`PUT ${lists}/:id`]: async (server) => ({ path: `${lists}/${await createList(server)}`, body: { automatic: true } }),
  [`DELETE ${lists}/:id`]: async (server) => ({ path: `${lists}/${await createList(server)}` }),
  [`GET ${lists}/:id/changes`]: async (server) => ({ path: `${lists}/${await createList(server)}/changes` }),
  [`POST ${lists}/:id/apply`]: async (server) => ({ path: `${lists}/${await createList(server)}/apply` }),
  [`POST ${lists}/:id/fetch`]: async (server) => ({ path: `${lists}/${await createList(server)}/fetch` }),
  [`POST ${lists}/:id/exceptions`]: async (server) => ({
    path: `${lists}/${await createList(server)}/exceptions`,
    body: { domain },
  }),
  [`DELETE ${lists}/:id/exceptions`]: async (server) => {
    const id = await createList(server);
    await setException(server.app, 'system', id, { domain, isExcepted: true });
    return { path: `${lists}/${id}/exceptions`, body: { domain } };
  },
};
