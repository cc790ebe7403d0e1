import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { waitForValue } from '../clients/real-server.ts';
import { openCommandLine } from './command-line.ts';

const parseLastLine = (text: string): unknown => JSON.parse(text.trim().split('\n').at(-1) ?? '');

/** The members of the instance and of its texts that the tests read. */
interface AccountJson {
  readonly configuration: { readonly urls: { readonly terms_of_service: string | null } };
  readonly content: string;
}

test('accounts and domains are moderated from the command line while the server runs, with immediate effect', async () => {
  await using commandLine = await openCommandLine({ REGISTRATIONS: 'approval', LOG_LEVEL: 'warn' });
  const url = await commandLine.serve();
  const scopes = ['--scopes', 'read write push', '--json'];
  const created = await commandLine.runToEnd(
    'account',
    'create',
    'alice',
    '--email',
    'a@mail.test',
    '--confirmed',
    ...scopes,
  );
  const authorization = `Bearer ${(parseLastLine(created.stdout) as { access_token: string }).access_token}`;
  await commandLine.runToEnd('account', 'create', 'carl', '--email', 'c@mail.test', '--confirmed', '--no-approved');

  const waiting = await commandLine.runToEnd('account', 'list', '--pending', '--json');
  expect(parseLastLine(waiting.stdout)).toMatchObject([{ username: 'carl', email: 'c@mail.test', confirmed: true }]);
  const approved = await commandLine.runToEnd('account', 'approve', '@Carl', '--text', 'Welcome');
  expect([approved.code, approved.stdout, approved.stderr]).toEqual([0, '@carl is approved.\n', '']);
  const folder = join(commandLine.dataDir, 'mail');
  const mail = await waitForValue(async () => {
    const files = await readdir(folder).catch(() => []);
    const texts = await Promise.all(files.map((file) => readFile(join(folder, file), 'utf8')));
    return texts.find((text) => text.includes('To: c@mail.test') && text.includes('is approved'));
  });
  expect(mail).toContain('Welcome');

  const status = async (): Promise<number> =>
    (await fetch(`${url}/api/v1/accounts/verify_credentials`, { headers: { authorization } })).status;
  const becomes = (expected: number) => waitForValue(async () => ((await status()) === expected ? true : undefined));
  expect(await status()).toBe(200);
  const suspended = await commandLine.runToEnd('account', 'suspend', 'alice', '--no-notify', '--json');
  expect(parseLastLine(suspended.stdout)).toMatchObject({ account: 'alice', changed: true });
  await becomes(403);
  expect((await commandLine.runToEnd('account', 'suspend', 'alice')).stdout).toBe('@alice was already suspended.\n');
  await commandLine.runToEnd('account', 'unsuspend', 'alice');
  await becomes(200);

  const response = await fetch(`${url}/api/v1/fieldfare/webhooks`, {
    method: 'POST',
    headers: { authorization, 'content-type': 'application/json' },
    body: JSON.stringify({ url: 'https://hooks.example/', events: ['status.created'] }),
  });
  const { id } = (await response.json()) as { id: string };
  const webhooks = await commandLine.runToEnd('webhook', 'list', 'alice', '--json');
  expect(parseLastLine(webhooks.stdout)).toMatchObject([{ id, url: 'https://hooks.example/', state: 'active' }]);
  expect((await commandLine.runToEnd('webhook', 'delete', id)).stdout).toBe(`Webhook ${id} is deleted.\n`);
  expect((await commandLine.runToEnd('webhook', 'delete', id)).stderr).toContain(`Unknown webhook: ${id}`);
  expect((await commandLine.runToEnd('webhook', 'list', 'alice')).stdout).toBe('@alice has no webhooks.\n');

  const block = ['--severity', 'suspend', '--public-comment', 'spam', '--reject-media', '--json'];
  expect(parseLastLine((await commandLine.runToEnd('domain', 'block', 'Bad.example', ...block)).stdout)).toMatchObject({
    domain: 'bad.example',
    severity: 'suspend',
    reject_media: true,
  });
  expect((await commandLine.runToEnd('domain', 'list')).stdout).toMatch(/bad\.example\s+suspend\s+true\s+false\s+spam/);
  expect((await commandLine.runToEnd('domain', 'unblock', 'bad.example')).stdout).toBe(
    'bad.example is no longer blocked.\n',
  );
});

test('accounts are moderated from the command line while the server is stopped', async () => {
  await using commandLine = await openCommandLine();
  for (const name of ['alice', 'bob']) {
    await commandLine.runToEnd('account', 'create', name, '--email', `${name}@mail.test`, '--confirmed');
  }
  expect((await commandLine.runToEnd('account', 'role', 'alice', 'moderator')).stdout).toBe(
    '@alice now has the role moderator.\n',
  );
  expect((await commandLine.runToEnd('account', 'role', 'alice', 'moderator')).stdout).toBe(
    '@alice already has the role moderator.\n',
  );
  const accounts = (await commandLine.runJson('account', 'list')) as {
    username: string;
    state: string;
  }[];
  expect(accounts.map(({ username, state }) => `${username} ${state}`)).toEqual(['bob active', 'alice active']);
  expect((await commandLine.runToEnd('account', 'delete', 'bob', '--yes')).stdout).toBe('@bob is deleted.\n');
  expect(await commandLine.runJson('account', 'list')).toMatchObject([{ username: 'alice' }]);
});

test('invites are created, listed and expired while the server runs', async () => {
  await using commandLine = await openCommandLine({ REGISTRATIONS: 'closed', LOG_LEVEL: 'warn' });
  const address = await commandLine.serve();
  await commandLine.runToEnd('account', 'create', 'alice', '--email', 'a@mail.test', '--confirmed');
  const options = ['--max-uses', '2', '--days', '7', '--comment', 'the choir', '--json'];
  const created = await commandLine.runToEnd('invite', 'create', '@alice', ...options);
  expect(created.code, created.stderr).toBe(0);
  const { code, url } = parseLastLine(created.stdout) as { code: string; url: string };
  expect(new URL(url).pathname).toBe(`/invite/${code}`);
  const load = () => fetch(`${address}/invite/${code}`, { headers: { accept: 'application/json' } });
  expect(await (await load()).json()).toMatchObject({ invite_code: code });
  const listed = await commandLine.runToEnd('invite', 'list', '--json');
  expect(parseLastLine(listed.stdout)).toMatchObject([
    { url, username: 'alice', uses: 0, max_uses: 2, usable: true, comment: 'the choir' },
  ]);
  expect((await commandLine.runToEnd('invite', 'expire', code)).stdout).toBe(`${code} has expired.\n`);
  expect((await load()).status).toBe(401);
  await commandLine.runToEnd('invite', 'create', 'alice');
  const ofAlice = ['--all', '--user', 'alice', '--json'];
  const counted = await commandLine.runToEnd('invite', 'expire', '--dry-run', ...ofAlice);
  expect(parseLastLine(counted.stdout), counted.stderr).toEqual({ count: 1 });
  expect(parseLastLine((await commandLine.runToEnd('invite', 'expire', ...ofAlice)).stdout)).toEqual({ count: 1 });
  const available = await commandLine.runToEnd('invite', 'list', '--state', 'available', '--json');
  expect(parseLastLine(available.stdout)).toEqual([]);
  expect((await commandLine.runToEnd('invite', 'expire')).stderr).toContain('Pass either a code or --all.');
  const unknown = await commandLine.runToEnd('invite', 'create', 'nobody');
  expect([unknown.code, unknown.stderr]).toEqual([1, 'fieldfare: Unknown account: nobody\n']);
});

test('invalid moderation commands fail with a message, even while the server is stopped', async () => {
  await using commandLine = await openCommandLine();
  for (const name of ['alice', 'bob']) {
    await commandLine.runToEnd('account', 'create', name, '--email', `${name}@mail.test`, '--confirmed');
  }
  const refusals: [string[], string][] = [
    [['account', 'suspend', 'alice', 'nobody'], 'Unknown account: nobody'],
    [['account', 'disable', 'eve@far.test'], 'eve@far.test is not a local account.'],
    [['account', 'approve', 'a b'], 'Unknown account: a b'],
    [['account', 'reject', 'alice'], 'The account is already approved'],
    [['account', 'delete', 'bob'], 'add --yes: account delete bob --yes'],
    [['domain', 'block', 'no domain'], 'Domain is not a valid domain name: no domain'],
    [['domain', 'block', 'localhost'], 'Domain belongs to this server: localhost'],
  ];
  for (const [args, message] of refusals) {
    const { code, stderr } = await commandLine.runToEnd(...args);
    expect([code, stderr.includes(message) || stderr], args.join(' ')).toEqual([1, true]);
  }
});

test('site settings are changed from the command line while the server runs', async () => {
  await using commandLine = await openCommandLine({ LOG_LEVEL: 'warn' });
  const url = await commandLine.serve();
  const read = async (path: string): Promise<AccountJson> =>
    (await (await fetch(`${url}${path}`)).json()) as AccountJson;
  const policy = join(commandLine.folder, 'policy.html');
  await writeFile(policy, '<p>We keep little.</p>');
  expect((await commandLine.runToEnd('site', 'set', 'title', 'The Nest')).stdout).toBe('title: The Nest\n');
  expect(await commandLine.runJson('site', 'set', 'privacy-policy', '--file', policy)).toEqual({
    privacyPolicy: '<p>We keep little.</p>',
  });
  expect((await commandLine.runToEnd('registrations', 'closed')).stdout).toBe('Registrations are closed.\n');
  const added = (await commandLine.runJson('rules', 'add', 'Be kind', '--hint', 'Really')) as {
    id: string;
  };
  await commandLine.runToEnd('rules', 'edit', added.id, '--text', 'Be friendly');
  expect((await commandLine.runToEnd('rules', 'translate', added.id, 'de', 'Sei nett')).stdout).toContain('de');
  expect((await commandLine.runToEnd('terms', 'draft', policy, '--changelog', policy)).code).toBe(0);
  const published = await commandLine.runJson('terms', 'publish', '--notify');
  expect(published).toMatchObject({
    draft: null,
    versions: [{ content: '<p>We keep little.</p>', isAnnounced: true }],
  });
  const shown = await waitForValue(async () => {
    const instance = await read('/api/v2/instance');
    return instance.configuration.urls.terms_of_service === null ? undefined : instance;
  });
  expect(shown).toMatchObject({
    title: 'The Nest',
    registrations: { enabled: false },
    rules: [{ id: added.id, text: 'Be friendly', translations: { de: { text: 'Sei nett', hint: '' } } }],
  });
  const announced = (await commandLine.runJson(
    'announcement',
    'add',
    'Maintenance',
    '--starts-at',
    '2126-01-02T10:00',
  )) as { id: string };
  const edited = await commandLine.runToEnd('announcement', 'edit', announced.id, '--starts-at', '', '--json');
  expect(parseLastLine(edited.stdout)).toEqual({ id: announced.id });
  expect(await commandLine.runJson('announcement', 'list')).toMatchObject([
    { id: announced.id, text: 'Maintenance', draft: false, starts_at: null, published_at: expect.any(String) },
  ]);
  expect((await read('/api/v1/instance/privacy_policy')).content).toBe('<p>We keep little.</p>');
  const hook = ['https://hooks.example/x', '--events', 'report.created', 'account.created', '--json'];
  const created = parseLastLine((await commandLine.runToEnd('admin-webhook', 'add', ...hook)).stdout) as {
    id: string;
  };
  expect(created).toMatchObject({ state: 'active', secret: expect.stringMatching(/^[0-9a-f]{40}$/) });
  const template = join(commandLine.folder, 'template.txt');
  await writeFile(template, '{{event}}');
  await commandLine.runToEnd('admin-webhook', 'edit', created.id, '--template', template);
  const paused = await commandLine.runToEnd('admin-webhook', 'disable', created.id, '--json');
  expect(parseLastLine(paused.stdout)).toMatchObject({ state: 'disabled', template: '{{event}}' });
  const deleted = await commandLine.runToEnd('admin-webhook', 'delete', created.id);
  expect(deleted.stdout).toBe(`Webhook ${created.id} is deleted.\n`);
  const refusals: [string[], string][] = [
    [['admin-webhook', 'enable', created.id], `Unknown webhook: ${created.id}`],
    [['site', 'set', 'contact-username', 'nobody'], 'Contact username cannot be found'],
    [['site', 'set', 'title'], 'Pass either a value or --file.'],
    [['site', 'set', 'show-peers', 'perhaps'], 'The value must be on or off, not perhaps.'],
    [['site', 'terms', join(commandLine.folder, 'nothing')], 'cannot be read (ENOENT)'],
    [['rules', 'delete', '77'], 'Unknown rule: 77'],
    [['rules', 'translate', '77', 'de', 'x'], 'Unknown rule: 77'],
    [['rules', 'translate', added.id, 'fr'], `Rule ${added.id} has no translation: fr`],
    [['terms', 'publish'], 'There is no draft.'],
    [['terms', 'discard'], 'There is no draft.'],
    [['terms', 'notify'], 'Users have already been notified of this version'],
    [['terms', 'notify', '2001-01-01'], 'There is no version of 2001-01-01.'],
    [['announcement', 'delete', '77'], 'Unknown announcement: 77'],
    [['announcement', 'add', 'x', '--all-day'], 'All day needs a start and an end'],
  ];
  for (const [args, message] of refusals) {
    const { code, stderr } = await commandLine.runToEnd(...args);
    expect([code, stderr.includes(message) || stderr], args.join(' ')).toEqual([1, true]);
  }
  expect((await commandLine.runToEnd('site', 'show')).stdout).toMatch(/^title\s+The Nest$/m);
});

test('ADM-07: usernames are blocked from the command line, for all but `account create`', async () => {
  await using commandLine = await openCommandLine();
  const create = (name: string) => commandLine.runToEnd('account', 'create', name, '--email', `${name}@mail.test`);
  const added = await commandLine.runToEnd('username-block', 'add', 'Gull', '--contains');
  expect([added.stdout, added.stderr]).toEqual(['Sign-ups with names with gull in them are refused.\n', '']);
  const changed = await commandLine.runToEnd('username-block', 'add', 'gull', '--allow-with-approval', '--json');
  expect(parseLastLine(changed.stdout)).toMatchObject({ comparison: 'equals', allow_with_approval: true });
  await commandLine.runToEnd('username-block', 'add', 'tern');
  for (const [username, verdict] of [
    ['seagull', 'allowed'],
    ['gull', 'needs_approval'],
    ['t3rn', 'blocked'],
    ['inbox', 'reserved'],
  ]) {
    const tested = await commandLine.runToEnd('username-block', 'test', username ?? '', '--json');
    expect(parseLastLine(tested.stdout)).toEqual({ username, verdict });
  }
  const listed = await commandLine.runToEnd('username-block', 'list', '--limit', '2');
  expect(listed.stdout).toMatch(/ tern +equals +false$/m);
  // Whoever has a shell on the machine decides.
  for (const name of ['tern', 'admin']) expect((await create(name)).code).toBe(0);
  expect((await commandLine.runToEnd('username-block', 'remove', 'TERN')).stdout).toBe('TERN is no longer blocked.\n');
  expect((await commandLine.runToEnd('username-block', 'remove', 'tern')).stderr).toContain('Not blocked');
});

test('ADM-07: IP and e-mail addresses are blocked from the command line while the server runs', async () => {
  await using commandLine = await openCommandLine({ REGISTRATIONS: 'open', LOG_LEVEL: 'warn' });
  const url = await commandLine.serve();
  const status = async () => (await fetch(`${url}/api/v2/instance`)).status;
  const becomes = (expected: number) => waitForValue(async () => ((await status()) === expected ? true : undefined));
  const block = ['--severity', 'no_access', '--comment', 'Bots', '--expires-in', '86400'];
  const added = await commandLine.runToEnd('ip-block', 'add', '127.0.0.5/24', ...block);
  expect([added.stdout, added.stderr]).toEqual(['127.0.0.0/24 is blocked (no_access).\n', '']);
  await becomes(403);
  const softened = await commandLine.runToEnd(
    'ip-block',
    'add',
    '127.0.0.0/24',
    '--severity',
    'sign_up_block',
    '--json',
  );
  expect(parseLastLine(softened.stdout)).toMatchObject({
    severity: 'sign_up_block',
    comment: 'Bots',
    expires_at: null,
  });
  await becomes(200);
  const listed = await commandLine.runToEnd('ip-block', 'list', '--json');
  expect(parseLastLine(listed.stdout)).toMatchObject([{ ip: '127.0.0.0/24' }]);
  expect((await commandLine.runToEnd('ip-block', 'remove', '127.0.0.0/24')).stdout).toBe(
    '127.0.0.0/24 is no longer blocked.\n',
  );
  expect((await commandLine.runToEnd('ip-block', 'remove', '127.0.0.0/24')).stderr).toContain('Not blocked');

  expect((await commandLine.runToEnd('email-block', 'add', 'Spam.test')).stdout).toContain('are refused');
  expect((await commandLine.runToEnd('email-block', 'add', 'spam.test')).stderr).toContain('already been taken');
  await commandLine.runToEnd('email-block', 'add-address', 'John.Doe@mail.test');
  for (const [email, verdict] of [
    ['a@sub.spam.test', 'blocked_domain'],
    ['johndoe+1@mail.test', 'blocked_address'],
  ]) {
    const tested = await commandLine.runToEnd('email-block', 'test', email ?? '', '--json');
    expect(parseLastLine(tested.stdout)).toEqual({ email, verdict });
  }
  const domains = await commandLine.runToEnd('email-block', 'list', '--json');
  expect(parseLastLine(domains.stdout)).toMatchObject([{ domain: 'spam.test', allow_with_approval: false }]);
  expect((await commandLine.runToEnd('email-block', 'remove', 'spam.test')).code).toBe(0);
  expect((await commandLine.runToEnd('email-block', 'remove-address', 'johndoe@mail.test')).code).toBe(0);
  expect((await commandLine.runToEnd('email-block', 'list')).stdout).toBe('No e-mail domain is blocked.\n');
  expect((await commandLine.runToEnd('email-block', 'list-addresses')).stdout).toBe('No e-mail address is blocked.\n');
  const log = await commandLine.runToEnd('audit', 'list', '--target', 'ip_block', '--json');
  expect(parseLastLine(log.stdout)).toMatchObject(
    ['delete', 'update', 'create'].map((verb) => ({ action: `ip_block.${verb}` })),
  );
});
