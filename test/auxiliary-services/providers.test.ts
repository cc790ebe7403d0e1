import { expect, test } from 'vitest';
import { providerScene, providersPath } from './scene.ts';

const logs = '/api/fasp/debug/v0/callback/responses';

test('FED-03: a provider registers, staff compare its fingerprint, and enable and disable what it offers', async () => {
  await using scene = await providerScene();
  const { server, staff, provider } = scene;
  expect(await provider.register()).toEqual({
    faspId: expect.stringMatching(/^\d+$/),
    publicKey: expect.stringMatching(/^[A-Za-z0-9+/]{43}=$/),
    registrationCompletionUri: 'https://a.test/moderation/providers',
  });
  const path = `${providersPath}/${provider.faspId}`;
  const { fingerprint } = provider;
  const pending = {
    name: 'Example FASP',
    base_url: provider.baseUrl,
    fingerprint,
    confirmed_at: null,
    capabilities: [],
  };
  expect((await staff.get(providersPath)).json).toMatchObject([pending]);
  await server.drain();
  expect(provider.calls).toEqual([]);
  const wrong = await staff.post(`${path}/confirm`, { fingerprint: 'x' });
  expect([wrong.status, wrong.json.error]).toEqual([422, expect.stringContaining('fingerprint')]);
  for (const refused of ['refresh', 'capabilities/callback/enable', 'test'])
    expect((await staff.post(`${path}/${refused}`)).status, refused).toBe(422);

  for (const _ of ['first', 'again']) expect((await staff.post(`${path}/confirm`, { fingerprint })).status).toBe(200);
  await server.drain();
  expect(provider.calls).toEqual([{ method: 'GET', path: '/provider_info', body: undefined }]);
  const { json: confirmed } = await staff.get(path);
  expect(confirmed).toMatchObject({
    confirmed_at: expect.any(String),
    privacy_policies: [{ url: 'https://fasp.example.com/privacy.html', language: 'en' }],
    sign_in_url: 'https://fasp.example.com/sign_in',
    contact_email: 'support@fasp.example.com',
    fediverse_account: '@fasp@fedi.example.com',
    failures: 0,
    last_error: null,
  });
  const named = (name: string) => confirmed.capabilities.find((one: { name: string }) => one.name === name);
  expect(named('callback')).toEqual({
    name: 'callback',
    version: '0.1',
    supported: true,
    enabled: false,
    announced: false,
  });
  expect(named('moods')).toMatchObject({ supported: false });

  provider.calls.length = 0;
  const { json: enabled } = await staff.post(`${path}/capabilities/callback/enable`);
  expect(enabled.capabilities).toContainEqual(
    expect.objectContaining({ name: 'callback', enabled: true, announced: false }),
  );
  await server.drain();
  expect((await staff.get(path)).json.capabilities).toContainEqual(
    expect.objectContaining({ name: 'callback', enabled: true, announced: true }),
  );
  await staff.post(`${path}/capabilities/callback/disable`);
  await server.drain();
  expect(provider.calls).toEqual([
    { method: 'POST', path: '/capabilities/callback/0/activation', body: undefined },
    { method: 'DELETE', path: '/capabilities/callback/0/activation', body: undefined },
  ]);
  expect((await staff.post(`${path}/capabilities/moods/enable`)).status).toBe(422);
  expect((await staff.post(`${path}/capabilities/other/enable`)).status).toBe(404);

  // What it no longer offers is gone, and what changed its version is no longer used.
  await staff.post(`${path}/capabilities/callback/enable`);
  provider.capabilities = [{ id: 'callback', version: '1.0' }];
  await staff.post(`${path}/refresh`);
  await server.drain();
  expect((await staff.get(path)).json.capabilities).toEqual([
    { name: 'callback', version: '1.0', supported: false, enabled: true, announced: true },
  ]);
  expect((await provider.post(logs)).status).toBe(403);
  expect((await staff.delete(path)).status).toBe(200);
  expect((await staff.get(path)).status).toBe(404);
  expect((await provider.post(logs)).status).toBe(401);
  expect(provider.problems).toEqual([]);
});

test('FED-03: a registration needs a name, a public address of another host, an id and an Ed25519 key', async () => {
  await using scene = await providerScene();
  const { server, provider, staff } = scene;
  await staff.post('/api/v1/admin/domain_blocks', { domain: 'blocked.test', severity: 'suspend' });
  const { serverId, baseUrl, publicKey } = provider;
  const valid = { name: 'Example FASP', baseUrl, serverId, publicKey };
  const register = (body: object) => server.anonymous.post('/api/fasp/registration', body);
  const invalid = [
    {},
    { ...valid, name: ' ' },
    { ...valid, name: 'x'.repeat(201) },
    { ...valid, baseUrl: 'http://fasp.example.com' },
    { ...valid, baseUrl: 'https://fasp.example.com:8443' },
    { ...valid, baseUrl: 'https://a.test/fasp' },
    { ...valid, baseUrl: 'https://user:password@fasp.example.com' },
    { ...valid, baseUrl: 'https://fasp.example.com/?x=1' },
    { ...valid, serverId: 'a"b' },
    { ...valid, serverId: '' },
    { ...valid, publicKey: 'short' },
    { ...valid, publicKey: 7 },
  ];
  for (const body of invalid) expect([body, (await register(body)).status]).toEqual([body, 422]);
  expect((await register({ ...valid, baseUrl: 'https://fasp.blocked.test' })).status).toBe(403);
  expect((await staff.get(providersPath)).json).toEqual([]);
  for (let count = 0; count < 25; count += 1) expect((await register(valid)).status).toBe(201);
  expect((await staff.get(providersPath)).json).toHaveLength(20);
  scene.network.clock.advance(8 * 86_400);
  await server.runSchedule('service_provider.refresh_all');
  expect((await staff.get(providersPath)).json).toEqual([]);
});

test('FED-03: a call of a provider counts once, with a new and right signature of a confirmed one', async () => {
  await using scene = await providerScene();
  const { server, staff, provider } = scene;
  await provider.register();
  expect((await provider.post(logs)).status).toBe(401);
  await provider.connect(staff, 'callback');
  const now = Math.floor(server.clock.now().getTime() / 1000);
  const refused = {
    'another key': { key: provider.otherKeys.privateKey },
    'an unknown id': { keyId: '1' },
    'no number': { keyId: 'https://fasp.example.com/actor#main-key' },
    old: { created: now - 2 * 3600 },
    future: { created: now + 2 * 3600 },
    'another body': { body: { a: 1 }, sentBody: '{"a":2}' },
    'no digest': { headers: { 'content-digest': undefined } },
    'unsigned digest': { components: ['@method', '@target-uri'] },
    'unsigned address': { components: ['@method', 'content-digest'] },
    unsigned: { headers: { signature: undefined, 'signature-input': undefined } },
    'no list': { headers: { 'signature-input': 'x' } },
  };
  for (const [name, options] of Object.entries(refused)) {
    const { status, isSigned } = await provider.post(logs, options);
    expect([name, status, isSigned]).toEqual([name, 401, false]);
  }
  const { status, request, isSigned } = await provider.post(logs, { body: { hello: 'world' } });
  expect([status, isSigned]).toEqual([201, true]);
  expect((await provider.send(request)).status).toBe(401);
  scene.network.clock.advance(3600);
  expect((await provider.send(request)).status).toBe(401);
  await staff.post('/api/v1/admin/domain_blocks', { domain: 'fasp.example.com', severity: 'suspend' });
  expect((await provider.post(logs)).status).toBe(403);
  expect((await staff.get(`${providersPath}/${provider.faspId}`)).json.callbacks).toMatchObject([
    { body: '{"hello":"world"}', ip: '127.0.0.1' },
  ]);
  expect(provider.problems).toEqual([]);
});

test('FED-03: staff make a test call, and see the answers', async () => {
  await using scene = await providerScene();
  const { server, staff, provider } = scene;
  await provider.connect(staff);
  const path = `${providersPath}/${provider.faspId}`;
  expect((await staff.post(`${path}/test`)).status).toBe(422);
  await staff.post(`${path}/capabilities/callback/enable`);
  expect((await staff.post(`${path}/test`)).status).toBe(200);
  await server.drain();
  const { method, path: called, body } = provider.calls.at(-1) ?? {};
  expect([method, called]).toEqual(['POST', '/debug/v0/callback/logs']);
  for (let count = 0; count < 12; count += 1) expect((await provider.post(logs, { body })).status).toBe(201);
  expect((await provider.post(logs)).status).toBe(201);
  const { callbacks } = (await staff.get(path)).json;
  expect(callbacks).toHaveLength(10);
  expect(callbacks.slice(0, 2)).toMatchObject([{ body: '' }, { body: JSON.stringify(body) }]);
});

test('FED-03: a provider that fails or lies is left alone for longer each time, and staff see why', async () => {
  await using scene = await providerScene();
  const { server, staff, provider, network } = scene;
  await provider.connect(staff);
  const path = `${providersPath}/${provider.faspId}`;
  const failures = {
    unsigned: ['signature', null, { json: [], lie: 'unsigned' }],
    digest: ['signature', null, { json: [], lie: 'digest' }],
    key: ['signature', null, { json: [], lie: 'key' }],
    old: ['signature', null, { json: [], lie: 'old' }],
    status: ['signature', null, { json: [], lie: 'status' }],
    server: ['status', 500, { status: 500, lie: 'unsigned' }],
    redirect: ['status', 302, { status: 302, headers: { location: 'https://127.0.0.1/' } }],
    text: ['invalid_response', null, { text: '<html>' }],
    list: ['invalid_response', null, { json: [] }],
    large: ['too_large', null, { text: 'x'.repeat(300_000) }],
  } as const;
  let count = 0;
  for (const [name, [error, status, answer]] of Object.entries(failures)) {
    provider.answers.set('GET /provider_info', answer);
    await staff.post(`${path}/refresh`);
    await server.drain();
    count += 1;
    const { json } = await staff.get(path);
    expect([name, json.failures, json.last_error, json.last_status]).toEqual([name, count, error, status]);
  }
  const { retry_at: retryAt } = (await staff.get(path)).json;
  expect(Date.parse(retryAt) - server.clock.now().getTime()).toBe(3_600_000);
  provider.calls.length = 0;
  await server.drain();
  expect(provider.calls).toEqual([]);

  // It is asked again after the pause, and as late as it wants.
  provider.answers.set('GET /provider_info', { status: 429, headers: { 'retry-after': '7200' } });
  network.clock.advance(3601);
  await server.drain();
  const { retry_at: later } = (await staff.get(path)).json;
  expect(Date.parse(later) - server.clock.now().getTime()).toBe(7_200_000);
  provider.answers.clear();
  network.takeDown('fasp.example.com');
  await staff.post(`${path}/refresh`);
  await server.drain();
  expect((await staff.get(path)).json).toMatchObject({ last_error: 'unreachable', last_status: null });
  network.bringUp('fasp.example.com');
  network.clock.advance(3601);
  await server.drain();
  expect((await staff.get(path)).json).toMatchObject({
    failures: 0,
    failing_since: null,
    last_error: null,
    retry_at: null,
  });
});
