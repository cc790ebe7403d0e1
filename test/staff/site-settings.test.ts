import { expect, test } from 'vitest';
import { settingSchemas } from '../../server/site/settings-schema.ts';
import type { TestResponse } from '../client.ts';
import { startServer, type TestServer } from '../server.ts';
import { languages } from '../../server/text/languages/index.ts';

const path = '/api/v1/fieldfare/admin/settings';

const createStaff = (server: TestServer) =>
  server.user('merle', { role: 'admin', scopes: 'admin:read admin:write read write' });

const valueOf = ({ json }: TestResponse, name: string): unknown =>
  json.find((setting: { name: string }) => setting.name === name)?.value;

test('ADM-06: staff list every setting with its type, default and value', async () => {
  await using server = await startServer();
  const staff = await createStaff(server);
  const { json } = await staff.get(path);
  expect(json).toHaveLength(Object.keys(settingSchemas).length);
  const of = (name: string) => json.find((setting: { name: string }) => setting.name === name);
  expect(of('title')).toEqual({
    name: 'title',
    type: 'text',
    choices: null,
    max_length: 100,
    max: null,
    default: 'fieldfare.test',
    value: 'fieldfare.test',
  });
  expect(of('registrations')).toMatchObject({ type: 'choice', choices: ['open', 'approval', 'closed'] });
  expect(of('show_trends')).toMatchObject({ type: 'boolean', default: true, value: true, max_length: null });
  expect(of('languages')).toMatchObject({ type: 'list', value: ['en'], max_length: 50 });
  expect(of('privacy_policy')).toMatchObject({ type: 'html', max_length: 100_000 });
  expect(of('custom_css')).toMatchObject({ type: 'css', value: '' });
  expect(of('notification_retention_days')).toMatchObject({ type: 'number', default: 365, value: 365, max: 3_650 });
});

test('ADM-06: staff change some settings at once, and reset one with null', async () => {
  await using server = await startServer();
  const staff = await createStaff(server);
  await server.user('alice');
  const changed = await staff.patch(path, {
    title: ' The Nest ',
    contact_username: '@alice',
    languages: ['de', 'en'],
    show_peers: false,
    extended_description: '<p onclick="x()">Birds</p><script>x()</script>',
    registrations: 'closed',
    unknown: 'is ignored',
  });
  expect(changed.status, changed.text).toBe(200);
  expect(['title', 'contact_username', 'languages', 'show_peers'].map((name) => valueOf(changed, name))).toEqual([
    'The Nest',
    'alice',
    ['de', 'en'],
    false,
  ]);
  expect(valueOf(changed, 'extended_description')).toBe('<p>Birds</p>');
  const { json: instance } = await server.anonymous.get('/api/v2/instance');
  expect(instance).toMatchObject({
    title: 'The Nest',
    languages: ['de', 'en'],
    registrations: { enabled: false },
    contact: { account: { username: 'alice' } },
  });
  expect((await server.anonymous.get('/api/v1/instance/peers')).status).toBe(404);

  const reset = await staff.patch(path, { title: null, languages: null, description: '' });
  expect([valueOf(reset, 'title'), valueOf(reset, 'languages'), valueOf(reset, 'show_peers')]).toEqual([
    'fieldfare.test',
    ['en'],
    false,
  ]);
  expect(valueOf(await staff.patch(path, { privacy_policy: 'ä'.repeat(90_000) }), 'privacy_policy')).toHaveLength(
    90_000,
  );
});

test('ADM-06: an invalid setting is refused with its name, and nothing is changed', async () => {
  await using server = await startServer();
  const staff = await createStaff(server);
  const refuse = async (body: Record<string, unknown>) => {
    const { status, json } = await staff.patch(path, { description: 'changed', ...body });
    expect(status).toBe(422);
    return json;
  };
  expect(await refuse({ title: '', contact_email: 'nobody' })).toEqual({
    error: "Validation failed: Title can't be blank, Contact email is not an e-mail address",
    details: {
      title: [{ error: 'ERR_INVALID', description: "can't be blank" }],
      contact_email: [{ error: 'ERR_INVALID', description: 'is not an e-mail address' }],
    },
  });
  const texts: [Record<string, unknown>, string][] = [
    [{ title: 'x'.repeat(101) }, 'Title is too long (maximum is 100 characters)'],
    [{ custom_css: 'x'.repeat(100_001) }, 'Custom CSS is too long'],
    [{ contact_username: 'nobody' }, 'Contact username cannot be found'],
    [{ languages: ['xx'] }, 'Languages contains an unknown language code: xx'],
    [{ languages: [] }, "Languages can't be blank"],
    [{ languages: languages.slice(0, 51).map(({ code }) => code) }, 'Languages are too many (maximum is 50)'],
    [{ suggested_accounts: Array.from({ length: 31 }, () => 'x') }, 'Suggested accounts are too many (maximum is 30)'],
    [{ registrations: 'maybe' }, 'registrations must be one of open, approval, closed'],
    [{ title: { nested: 'x' } }, 'title'],
    [{ remote_post_retention_days: 4_000 }, 'Days until remote posts are deleted must be a number from 0 to 3650'],
    [{ remote_post_retention_days: -1 }, 'Days until remote posts are deleted must be a number from 0 to 3650'],
    [{ source_url: 'ftp://x.test' }, 'Source URL is not an http or https address'],
  ];
  for (const [body, text] of texts) expect((await refuse(body)).error).toContain(text);
  expect(valueOf(await staff.get(path), 'description')).not.toBe('changed');
  const entries = await server.db.selectFrom('audit_log').select('id').execute();
  expect(entries).toEqual([]);
});
