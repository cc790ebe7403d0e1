import type { Listing } from '../listings/listing.ts';
import type { TestServer } from '../server.ts';

const reports = '/api/v1/admin/reports';

/** Reports, and the notes about one. */
export async function reportListings(server: TestServer): Promise<Listing[]> {
  const staff = await server.user('report_staff', { role: 'admin', scopes: 'admin:read admin:write' });
  const [reporter, target] = [await server.user('reporting'), await server.user('reported')];
  let count = 0;
  const report = async (): Promise<string> => {
    count += 1;
    const { status, text, json } = await reporter.post('/api/v1/reports', {
      account_id: target.id,
      comment: `Number ${count}`,
    });
    if (status !== 200) throw new Error(text);
    return json.id as string;
  };
  const shared = { client: staff, keyOf: ({ id }: { id: string }) => id };
  const noted = await target.post('/api/v1/reports', { account_id: reporter.id });
  const notes = `/api/v1/fieldfare/admin/reports/${noted.json.id}/notes`;
  return [
    {
      ...shared,
      route: reports,
      url: `${reports}?account_id=${reporter.id}`,
      add: report,
      remove: (id) => staff.post(`${reports}/${id}/resolve`),
    },
    {
      ...shared,
      route: '/api/v1/fieldfare/admin/reports/:id/notes',
      url: notes,
      add: async () => (await staff.post(notes, { content: 'Note' })).json.id as string,
      remove: (id) => staff.delete(`${notes}/${id}`),
    },
  ];
}
