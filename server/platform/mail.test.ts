import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { statSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { SMTPServer } from 'smtp-server';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { parseConfig } from './config.ts';
import { createMailer, isRejectedRecipient, type MailMessage } from './mail.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'fieldfare-mail-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const message: MailMessage = {
  to: 'alice@example.net',
  subject: 'Bestätige deine Adresse',
  text: 'Hello\nhttps://example.org/confirm?token=abc\n',
  html: '<p>Hello</p>',
};

interface Received {
  from: string;
  to: string[];
  content: string;
}

/** What a mail server answers instead of accepting. */
interface Rejection {
  readonly command: 'MAIL' | 'RCPT' | 'DATA';
  readonly code: number;
  readonly text: string;
}

async function smtpServer(
  rejection?: Rejection,
): Promise<{ url: string; received: Received[]; close: () => Promise<void> }> {
  const received: Received[] = [];
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onMailFrom: (_address, _session, done) => done(errorOf('MAIL', rejection)),
    onRcptTo: (_address, _session, done) => done(errorOf('RCPT', rejection)),
    onAuth: (auth, _session, done) => done(null, { user: auth.username ?? '' }),
    onData(stream, { envelope }, done) {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        const from = envelope.mailFrom === false ? '' : envelope.mailFrom.address;
        received.push({
          from,
          to: envelope.rcptTo.map(({ address }) => address),
          content: String(Buffer.concat(chunks)),
        });
        done(errorOf('DATA', rejection));
      });
    },
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `smtp://127.0.0.1:${(server.server.address() as AddressInfo).port}`;
  return { url, received, close: () => new Promise((resolve) => server.close(resolve)) };
}

const errorOf = (command: Rejection['command'], rejection: Rejection | undefined): Error | undefined =>
  rejection?.command === command
    ? Object.assign(new Error(rejection.text), { responseCode: rejection.code })
    : undefined;

test('only a recipient that the mail server rejects permanently is not tried again', async () => {
  const rejections: readonly [Rejection, boolean][] = [
    [{ command: 'RCPT', code: 550, text: '5.1.1 no such user' }, true],
    [{ command: 'RCPT', code: 553, text: 'mailbox name not allowed' }, true],
    [{ command: 'RCPT', code: 452, text: '4.2.2 mailbox full' }, false],
    [{ command: 'RCPT', code: 554, text: '5.7.1 Relay access denied' }, false],
    [{ command: 'MAIL', code: 530, text: '5.7.0 Authentication required' }, false],
    [{ command: 'MAIL', code: 550, text: '5.1.0 sender rejected' }, false],
    [{ command: 'DATA', code: 554, text: '5.6.0 message rejected' }, false],
  ];
  for (const [rejection, expected] of rejections) {
    const server = await smtpServer(rejection);
    const mailer = createMailer(parseConfig({ SMTP_URL: server.url }), pino({ level: 'silent' }));
    const error = await mailer.send(message).then(
      () => undefined,
      (reason: unknown) => reason,
    );
    await mailer.close();
    await server.close();
    expect(error, rejection.text).toBeInstanceOf(Error);
    expect(isRejectedRecipient(error), rejection.text).toBe(expected);
  }
});

test('mail is sent to the mail server with both bodies', async () => {
  const server = await smtpServer();
  const config = parseConfig({ BASE_URL: 'https://example.org:8443', SMTP_URL: server.url });
  const mailer = createMailer(config, pino({ level: 'silent' }));
  await mailer.send(message);
  await mailer.close();
  await server.close();
  expect(server.received).toMatchObject([{ from: 'fieldfare@example.org', to: ['alice@example.net'] }]);
  const content = server.received[0]?.content ?? '';
  expect(content).toMatch(/^Content-Type: text\/plain/m);
  expect(content).toMatch(/^Content-Type: text\/html/m);
  expect(content).toMatch(/^Auto-Submitted: auto-generated/m);
});

test('mail to a server that does not respond fails, so that the job is retried', async () => {
  const config = parseConfig({ SMTP_URL: 'smtp://127.0.0.1:1' });
  const mailer = createMailer(config, pino({ level: 'silent' }));
  await expect(mailer.send(message)).rejects.toThrow();
  await mailer.close();
});

const modeOf = (path: string): string => (statSync(path).mode & 0o777).toString(8);

test('without a mail server messages become files in their order, and their links are logged', async () => {
  const umask = process.umask(0);
  onTestFinished(() => void process.umask(umask));
  const lines: string[] = [];
  const log = pino({}, { write: (line: string) => void lines.push(line) });
  const mailer = createMailer(parseConfig({ DATA_DIR: folder, MAIL_FROM: 'Birds <birds@example.org>' }), log);
  for (const subject of ['first', 'second', 'third']) await mailer.send({ ...message, subject });
  await mailer.close();
  const names = (await readdir(join(folder, 'mail'))).toSorted();
  expect(names).toHaveLength(3);
  expect([modeOf(join(folder, 'mail')), ...names.map((name) => modeOf(join(folder, 'mail', name)))]).toEqual([
    '700',
    '600',
    '600',
    '600',
  ]);
  const contents = await Promise.all(names.map((name) => readFile(join(folder, 'mail', name), 'utf8')));
  expect(contents.map((content) => /^Subject: (.*)\r$/m.exec(content)?.[1])).toEqual(['first', 'second', 'third']);
  expect(contents[0]).toMatch(/^From: Birds <birds@example\.org>\r$/m);
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({
    to: 'alice@example.net',
    links: ['https://example.org/confirm?token=abc'],
  });
});

test('neither subject nor recipient can add a header or another recipient', async () => {
  const server = await smtpServer();
  const mailer = createMailer(parseConfig({ SMTP_URL: server.url }), pino({ level: 'silent' }));
  await mailer.send({ ...message, subject: 'hi\r\nBcc: eve@example.net\r\n\r\nbody' });
  const recipients = [
    'alice@example.net, eve@example.net',
    'alice@example.net\r\nBcc: eve@example.net',
    'Alice <alice@example.net>',
    'alice@example.net>\r\nRCPT TO:<eve@example.net',
    'group: alice@example.net;',
    'alice',
    '',
  ];
  for (const to of recipients) await expect(mailer.send({ ...message, to }), to).rejects.toThrow();
  await mailer.close();
  await server.close();
  expect(server.received.map(({ to }) => to)).toEqual([['alice@example.net']]);
  expect(server.received[0]?.content).toMatch(/^Subject: hi Bcc: eve@example\.net body\r$/m);
  expect(server.received[0]?.content).not.toMatch(/^Bcc:/m);
});
