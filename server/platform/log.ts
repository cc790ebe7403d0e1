import { writeSync } from 'node:fs';
import { inspect, styleText } from 'node:util';
import { destination, pino, type Logger } from 'pino';
import { redactSecrets, redactSecretsDeep } from './redact.ts';
import { toError } from './errors.ts';

export interface LogOptions {
  /** As LOG_LEVEL: `info`, `debug` and so on. */
  readonly level: string;
  /** Coloured lines for people instead of JSON lines. Default: whether stderr is a terminal. */
  readonly pretty?: boolean;
  /** For tests: receives the lines instead of stderr. */
  readonly writeLine?: (line: string) => void;
}

/**
 * Creates the log of a process, on stderr; stdout is for the output of commands. Access tokens, passwords and other
 * secrets in addresses and errors are redacted.
 */
export function createLog({ level, pretty = process.stderr.isTTY === true, writeLine }: LogOptions): Logger {
  const options = { level, base: null, serializers: { err: serializeError }, formatters: { log: redactFields } };
  if (writeLine !== undefined) return pino(options, { write: writeLine });
  // Written synchronously: a buffered line would be lost in a crash.
  if (!pretty) return pino(options, destination({ fd: 2, sync: true }));
  return pino(options, { write: (line: string) => void writeSync(2, formatPrettyLine(line)) });
}

/** Without a mail server, operators find the links of mail in the log: these are not redacted (platform/mail.ts). */
function redactFields({ links, ...fields }: Record<string, unknown>): Record<string, unknown> {
  return { ...(redactSecretsDeep(fields) as Record<string, unknown>), ...(links !== undefined && { links }) };
}

/** The logged fields of an error. Others are left out: a database error carries its whole connection. */
function serializeError(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const { name, message, stack, cause } = error;
  const { code } = toError(error);
  return {
    type: name,
    message: redactSecrets(message),
    stack: redactSecrets(stack ?? ''),
    ...(code !== undefined && { code }),
    ...(cause !== undefined && { cause: serializeError(cause) }),
  };
}

const levelLabels: Record<number, string> = {
  10: styleText('gray', 'trace'),
  20: styleText('gray', 'debug'),
  30: styleText('green', 'info '),
  40: styleText('yellow', 'warn '),
  50: styleText('red', 'error'),
  60: styleText(['red', 'bold'], 'fatal'),
};

/** Formats a JSON line for people: time, level, message, other fields as name=value, then the stack of an error. */
export function formatPrettyLine(json: string): string {
  const { time, level, msg, err, ...rest }: Record<string, unknown> = JSON.parse(json);
  const clock = styleText('gray', new Date(Number(time)).toTimeString().slice(0, 8));
  const details = Object.entries(rest).map(([name, value]) =>
    styleText('gray', ` ${name}=${typeof value === 'string' ? value : inspect(value)}`),
  );
  const stack = (err as { stack?: string } | undefined)?.stack;
  const below = stack === undefined ? '' : `\n${stack.replaceAll(/^/gm, '    ')}`;
  return `${clock} ${levelLabels[Number(level)] ?? ''} ${typeof msg === 'string' ? msg : ''}${details.join('')}${below}\n`;
}
