import { findTranscoder } from '../../media/decoding/index.ts';
import type { App } from '../../platform/app.ts';
import { checkMailServer } from '../../platform/mail.ts';
import { redactSecrets } from '../../platform/redact.ts';
import { checkValkey as askValkey, connectValkey, writeToValkey } from '../../platform/valkey.ts';
import type { Finding } from './finding.ts';
import { toError } from '../../platform/errors.ts';

type Config = Pick<App, 'config'>;

/** Checks that Valkey answers and takes writes, if the settings name one. */
export async function checkValkey({ config: { VALKEY_URL: url, domain } }: Config): Promise<Finding[]> {
  const subject = 'valkey';
  if (url === undefined) return [];
  const fail = (problem: string, error: unknown, fix: string): Finding[] => [
    { subject, state: 'fail', detail: `${redactSecrets(url)} ${problem}: ${toError(error).message}`, fix },
  ];
  const meanwhile = 'Meanwhile each process counts requests by itself.';
  let version: string;
  try {
    version = await askValkey(url);
  } catch (error) {
    return fail('cannot be used', error, `Start Valkey, or check VALKEY_URL. ${meanwhile}`);
  }
  const connection = connectValkey(url, { prefix: `fieldfare:${domain}:` });
  try {
    await writeToValkey(connection);
  } catch (error) {
    return fail('takes no writes', error, `Look at its memory (maxmemory) and its disk. ${meanwhile}`);
  } finally {
    connection.disconnect();
  }
  return [{ subject, state: 'ok', detail: `answers: version ${version}` }];
}

/** Checks that the mail server accepts a connection and the credentials, if the settings name one. */
export async function checkMail({ config: { SMTP_URL: url } }: Config): Promise<Finding[]> {
  const subject = 'mail';
  // Without one, the check of the settings warns.
  if (url === undefined) return [];
  try {
    await checkMailServer(url);
    return [{ subject, state: 'ok', detail: 'the mail server accepts connections' }];
  } catch (error) {
    return [
      {
        subject,
        state: 'fail',
        detail: `the mail server at ${redactSecrets(url)} cannot be used: ${toError(error).message}`,
        fix: 'Check SMTP_URL. Until then mail waits, and is given up after two days.',
      },
    ];
  }
}

/** Checks which program converts video and audio. */
export async function checkTranscoder({ config: { FFMPEG: setting } }: Config): Promise<Finding[]> {
  const subject = 'ffmpeg';
  if (setting === 'none') return [{ subject, state: 'ok', detail: 'FFMPEG is none: nothing is converted' }];
  const transcoder = await findTranscoder(setting);
  const fix = 'Install ffmpeg, or name the program by FFMPEG.';
  if (transcoder === undefined)
    return [{ subject, state: 'warn', detail: 'only video and audio that browsers play are accepted', fix }];
  if (setting !== undefined && transcoder.name !== 'ffmpeg')
    return [{ subject, state: 'warn', detail: `FFMPEG is no program that runs: ${setting}`, fix }];
  return [{ subject, state: 'ok', detail: `video and audio are converted by ${transcoder.name}` }];
}
