import { expect, test } from 'vitest';
import { openCommandLine } from './command-line.ts';

const lastJson = (text: string): unknown => JSON.parse(text.trim().split('\n').at(-1) ?? '');

test('operators link accounts at providers, and create links to sign in, on the command line', async () => {
  await using commandLine = await openCommandLine({
    LOG_LEVEL: 'warn',
    SIGN_IN: 'oidc',
    SIGN_IN_PROVIDERS: 'town',
    // No server listens there.
    OIDC_TOWN_ISSUER: 'http://localhost:9',
    OIDC_TOWN_CLIENT_ID: 'fieldfare',
    OIDC_TOWN_ROLES: 'staff=moderator,birds=herons',
  });
  const run = async (...args: string[]) => {
    const { stdout, stderr } = await commandLine.runToEnd('account', ...args);
    return stdout + stderr;
  };
  for (const name of ['alice', 'bob']) await run('create', name, '--email', `${name}@mail.test`, '--confirmed');
  expect(await run('linked-sign-ins', 'alice')).toBe('@alice has no linked sign-in.\n');
  expect(await run('link', 'alice', 'town', 'person-1')).toContain('@alice signs in with town as person-1.\n');
  expect(await run('link', 'alice', 'town', 'person-1')).toContain('@alice signs in with town as person-1.\n');
  expect(await run('link', 'bob', 'town', 'person-1')).toContain('linked to another account here');
  expect(await run('link', 'alice', 'school', 'x')).toContain('Unknown provider: school');
  expect(await run('link', 'nobody', 'town', 'x')).toContain('nobody');
  const { stdout } = await commandLine.runToEnd('account', 'linked-sign-ins', 'alice', '--json');
  expect(lastJson(stdout)).toMatchObject([{ provider: 'town', issuer: 'http://localhost:9', subject: 'person-1' }]);
  expect(await run('unlink', 'alice', 'town')).toContain('@alice can no longer sign in with town.\n');
  expect(await run('unlink', 'alice', 'town')).toContain('@alice was not linked to it.\n');
  expect(await run('sign-in-link', 'alice')).toMatch(/\/auth\/sign_in\/link\?token=[\w-]{43}\n$/);
  const log = (await commandLine.runToEnd('audit', 'list', '--json')).stdout;
  for (const action of ['user.link', 'user.unlink', 'user.create_sign_in_link']) expect(log).toContain(action);

  const findings = lastJson((await commandLine.runToEnd('doctor', '--json')).stdout);
  expect(findings).toContainEqual(
    expect.objectContaining({
      subject: 'sign-in',
      state: 'fail',
      detail: expect.stringContaining('town cannot be used'),
    }),
  );
  expect(findings).toContainEqual(
    expect.objectContaining({ state: 'warn', detail: 'OIDC_TOWN_ROLES names an unknown role: herons' }),
  );
});
