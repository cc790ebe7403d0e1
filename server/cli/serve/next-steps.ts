import { isAbsolute, join, relative } from 'node:path';
import type { App } from '../../platform/app.ts';
import { isCheckout } from '../../platform/version.ts';
import { siteSettings } from '../../site/index.ts';

/** Returns the lines that are printed after the start. */
export async function nextStepLines(app: App): Promise<string[]> {
  const { baseUrl, webDomain } = app.config;
  const { registrations } = await siteSettings(app);
  const signUp = {
    open: `${baseUrl}/auth/sign_up`,
    approval: `${baseUrl}/auth/sign_up (with approval of staff)`,
    closed: 'closed; create accounts with fieldfare account create NAME --email ADDRESS',
  }[registrations];
  const isLocal = /^(?:localhost|127\.|\[::1\])/.test(webDomain);
  return [
    `  Sign up          ${signUp}`,
    `  Connect an app   give ${isLocal ? baseUrl : webDomain} as the server${isLocal ? ', on this machine' : ''}`,
    `  Commands         ${isCheckout ? 'npm run cli --' : 'fieldfare'} help`,
    `  Documentation    docs/operations.md; API: ${baseUrl}/api/docs`,
    ...(isLocal ? ['  Go public        set BASE_URL: docs/operations.md'] : []),
  ];
}

/** Returns a warning that mail is only written to files; undefined with a mail server. */
export function missingMailNotice({ config }: App): string | undefined {
  if (config.SMTP_URL !== undefined) return undefined;
  const folder = join(config.dataDir, 'mail');
  const near = relative(process.cwd(), folder);
  const shown = near.startsWith('..') || isAbsolute(near) ? folder : near;
  return `No mail server is configured: mail is written to ${shown}, and its links to the log. Set SMTP_URL to send mail.`;
}
