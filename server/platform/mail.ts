import { mkdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { SendMailOptions } from 'nodemailer';
import type { Logger } from 'pino';
import type { Config } from './config.ts';

/** A message with a plain and an HTML body. */
export interface MailMessage {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** A newsletter, which uses connections of its own, so that no other mail waits for it. */
  readonly isBulk?: boolean;
}

/** Thrown for a recipient that no mail server would accept. */
class InvalidRecipient extends Error {}

/**
 * Returns whether the mail server rejected the recipient permanently, so that another attempt is useless. False if it
 * rejected the sender or refuses to relay, which its operator can change.
 */
export function isRejectedRecipient(error: unknown): boolean {
  if (error instanceof InvalidRecipient) return true;
  const {
    command,
    responseCode = 0,
    response = '',
  } = error as {
    command?: string;
    responseCode?: number;
    response?: string;
  };
  // 5.7: a matter of policy, such as "Relay access denied" (RFC 3463).
  const isPolicy = /^\d{3}[ -]5\.7\./.test(response);
  return command === 'RCPT TO' && responseCode >= 500 && responseCode < 600 && !isPolicy;
}

/** Sends mail. Call it from jobs only. */
export interface Mailer {
  send(message: MailMessage): Promise<void>;
  close(): Promise<void>;
}

/** Creates a mailer that uses SMTP_URL or, without it, writes .eml files to DATA_DIR/mail and logs their links. */
export function createMailer(config: Config, log: Logger): Mailer {
  const from = config.MAIL_FROM ?? `Fieldfare <fieldfare@${config.domain.replace(/:\d+$/, '')}>`;
  return config.SMTP_URL === undefined ? createFileMailer(config, log, from) : createSmtpMailer(config.SMTP_URL, from);
}

/** Connects to a mail server and signs in, if SMTP_URL has credentials. Throws if that fails. */
export async function checkMailServer(url: string): Promise<void> {
  const transport = (await import('nodemailer')).createTransport({ url, ...smtpTimeouts, ...noExternalAccess });
  try {
    await transport.verify();
  } finally {
    transport.close();
  }
}

const smtpTimeouts = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 30_000 };

function createSmtpMailer(url: string, from: string): Mailer {
  const opening = new Map<'usual' | 'bulk', ReturnType<typeof openTransport>>();
  // Loaded with the first mail, because it takes 20 MB.
  const openTransport = async () =>
    (await import('nodemailer')).createTransport({
      url,
      pool: true,
      maxConnections: 2,
      ...smtpTimeouts,
      ...noExternalAccess,
    });
  return {
    async send(message) {
      const kind = message.isBulk === true ? 'bulk' : 'usual';
      const transport = opening.get(kind) ?? openTransport();
      opening.set(kind, transport);
      await (await transport).sendMail(buildEnvelope(message, from));
    },
    async close() {
      for (const transport of opening.values()) (await transport).close();
    },
  };
}

function createFileMailer(config: Config, log: Logger, from: string): Mailer {
  const folder = join(config.dataDir, 'mail');
  let sentCount = 0;
  return {
    async send(message) {
      const { createTransport } = await import('nodemailer');
      const transport = createTransport({
        streamTransport: true,
        buffer: true,
        newline: 'windows',
        ...noExternalAccess,
      });
      const { message: content } = await transport.sendMail(buildEnvelope(message, from));
      // The messages contain links that sign their reader in.
      await mkdir(folder, { recursive: true, mode: 0o700 });
      // The counter orders messages of the same millisecond.
      const count = String((sentCount += 1)).padStart(6, '0');
      const name = `${new Date().toISOString().replaceAll(':', '-')}-${count}-${process.pid}.eml`;
      await writeFile(join(folder, `.${name}`), content as Buffer, { mode: 0o600 });
      await rename(join(folder, `.${name}`), join(folder, name));
      log.info(
        { to: message.to, file: join(folder, name), links: extractLinks(message.text) },
        `mail: ${message.subject}`,
      );
    },
    close: async () => undefined,
  };
}

const noExternalAccess = { disableFileAccess: true, disableUrlAccess: true };

/** Exactly one recipient, and a subject without line breaks. */
function buildEnvelope(message: MailMessage, from: string): SendMailOptions {
  // eslint-disable-next-line no-control-regex
  if (!/^[^\s@<>,;:"()[\]\\\u0000-\u001f\u007f]+@[^\s@<>,;:"()\\\u0000-\u001f\u007f]+$/.test(message.to)) {
    throw new InvalidRecipient('the recipient is not an e-mail address');
  }
  return {
    from,
    to: { name: '', address: message.to },
    // eslint-disable-next-line no-control-regex
    subject: message.subject.replace(/[\u0000-\u001f\u007f]+/g, ' '),
    text: message.text,
    ...(message.html === undefined ? {} : { html: message.html }),
    // Prevents out-of-office replies.
    headers: { 'Auto-Submitted': 'auto-generated', ...message.headers },
  };
}

function extractLinks(text: string): string[] {
  return text.match(/https?:\/\/[^\s<>"]+/g) ?? [];
}
