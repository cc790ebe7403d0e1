import { transaction } from '../../server/platform/write/transaction.ts';
import type { JobId, RowId } from '../../server/platform/ids.ts';
import { recordStaffAction } from '../../server/site/audit/index.ts';
import type { TestServer, TestUser } from '../server.ts';
import { adminAccountListing, strikeListings } from '../staff/account-listings.ts';
import { writable } from '../writable.ts';
import { expectOk, idOf, type Listing } from './listing.ts';

/** The announcements of staff. */
export async function staffListings(server: TestServer): Promise<Listing[]> {
  const owner = await server.user('announcer', { role: 'owner', scopes: 'admin:read admin:write' });
  const announcements = '/api/v1/fieldfare/admin/announcements';
  return [
    {
      route: announcements,
      url: announcements,
      client: owner,
      keyOf: idOf,
      add: async () => (await expectOk(owner.post(announcements, { text: 'News' }))).json.id as string,
      remove: (id) => expectOk(owner.delete(`${announcements}/${id}`)),
    },
    auditLogListing(server, owner),
    jobListing(server, owner),
    adminAccountListing(server, { staff: owner, version: 1 }),
    adminAccountListing(server, { staff: owner, version: 2 }),
    ...(await strikeListings(server, owner)),
    domainListing(owner, '/api/v1/admin/domain_blocks'),
    domainListing(owner, '/api/v1/admin/domain_allows'),
  ];
}

let domainCount = 0;

/** Domains that staff block or allow. */
function domainListing(staff: TestUser, route: string): Listing {
  return {
    route,
    url: route,
    client: staff,
    keyOf: idOf,
    add: async () => {
      domainCount += 1;
      return (await expectOk(staff.post(route, { domain: `d${domainCount}.example` }))).json.id as string;
    },
    remove: (id) => expectOk(staff.delete(`${route}/${id}`)),
  };
}

/** Stored jobs, of a queue of their own. */
function jobListing({ db, clock }: TestServer, staff: TestUser): Listing {
  const route = '/api/v1/fieldfare/admin/jobs';
  const base = { queue: 'bulk_mail', name: 'media.delete_files', data: JSON.stringify({ keys: [] }) };
  return {
    route,
    url: `${route}?queue=${base.queue}`,
    client: staff,
    keyOf: idOf,
    add: async () => {
      const run_at = new Date(clock.now().getTime() + 3_600_000);
      const { id } = await db
        .insertInto('jobs')
        .values({ ...base, run_at })
        .returning('id')
        .executeTakeFirstOrThrow();
      return id;
    },
    remove: (id) =>
      db
        .deleteFrom('jobs')
        .where('id', '=', id as JobId)
        .execute(),
  };
}

/** The audit log. Nothing but the test deletes entries. */
function auditLogListing(server: TestServer, staff: TestUser): Listing {
  const route = '/api/v1/fieldfare/admin/audit_log';
  const addEntry = () =>
    transaction(server.app, async (tx) =>
      recordStaffAction(tx, 'system', { target: 'hashtag', verb: 'update', label: 'birds' }),
    );
  return {
    route,
    url: `${route}?action=hashtag.update`,
    client: staff,
    keyOf: idOf,
    add: async () => {
      await addEntry();
      const [entry] = (await expectOk(staff.get(`${route}?limit=1`))).json;
      return entry.id as string;
    },
    remove: (id) =>
      transaction(server.app, ({ db }) =>
        writable(db)
          .deleteFrom('audit_log')
          .where('id', '=', id as RowId)
          .execute(),
      ),
  };
}
