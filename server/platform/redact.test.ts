import { expect, test } from 'vitest';
import { createLog } from './log.ts';
import { redactSecrets, redactSecretsDeep } from './redact.ts';

const secret = 's3cr3t-Value_0.9';

test('secrets in URLs are replaced, other parameters are not', () => {
  for (const [given, expected] of [
    [`/api/v1/streaming?stream=user&access_token=${secret}`, '/api/v1/streaming?stream=user&access_token=[hidden]'],
    [`/auth/password/edit?reset_password_token=${secret}`, '/auth/password/edit?reset_password_token=[hidden]'],
    [
      `/auth/confirmation?confirmation_token=${secret}&lang=en`,
      '/auth/confirmation?confirmation_token=[hidden]&lang=en',
    ],
    [`/setup?token=${secret}#top`, '/setup?token=[hidden]#top'],
    [`https://app.test/callback?code=${secret}&state=abc`, 'https://app.test/callback?code=[hidden]&state=abc'],
    [`client_id=1&client_secret=${secret}`, 'client_id=1&client_secret=[hidden]'],
    [
      `/auth/sign_in?return_to=%2Fsetup%3Ftoken%3D${secret}&x=1`,
      '/auth/sign_in?return_to=%2Fsetup%3Ftoken%3D[hidden]&x=1',
    ],
    [`/invite/${secret}`, '/invite/[hidden]'],
    [`https://a.test/invite/${secret}?x=1 failed`, 'https://a.test/invite/[hidden]?x=1 failed'],
    [`/api/web/push_subscriptions/${secret}`, '/api/web/push_subscriptions/[hidden]'],
    ['/settings/invites/12/revoke', '/settings/invites/12/revoke'],
    [`/f?user[password]=${secret}`, '/f?user[password]=[hidden]'],
    [`smtps://me:${secret}@mail.test:465 refused`, 'smtps://[hidden]@mail.test:465 refused'],
    [`sent Authorization: Bearer ${secret}`, 'sent Authorization: Bearer [hidden]'],
    ['/api/v1/timelines/home?max_id=12&limit=20', '/api/v1/timelines/home?max_id=12&limit=20'],
    ['https://mail.test/@alice?x=a@b', 'https://mail.test/@alice?x=a@b'],
    ['a basic question, code = none', 'a basic question, code = none'],
  ] as const) {
    expect(redactSecrets(given), given).toBe(expected);
  }
});

test('lists and objects are redacted too', () => {
  expect(redactSecretsDeep({ urls: [`/a?token=${secret}`], count: 3, inner: { url: `/b?code=${secret}` } })).toEqual({
    urls: ['/a?token=[hidden]'],
    count: 3,
    inner: { url: '/b?code=[hidden]' },
  });
});

test('a log contains no secrets, except links of mail that could not be sent', () => {
  const lines: string[] = [];
  const log = createLog({ level: 'info', pretty: false, writeLine: (line) => lines.push(line) });
  const error = new Error(`GET https://far.test/x?access_token=${secret} failed`, {
    cause: new Error(`/oauth/token?client_secret=${secret}`),
  });
  log.error({ err: error, url: `/api/v1/a?access_token=${secret}` }, 'a request failed');
  expect(lines.join('')).toContain('access_token=[hidden]');
  expect(lines.join('')).not.toContain(secret);
  log.info({ links: [`https://a.test/setup?token=${secret}`] }, 'mail');
  expect(lines.at(-1)).toContain(secret);
});
