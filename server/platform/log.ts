import { writeSync } from 'node:fs';
import { inspect, styleText } from 'node:util';
import { destination, pino, type Logger } from 'pino';
import { redactSecrets, redactSecretsDeep } from './redact.ts';

export interface LogOptions {
  /** `info`, `debug` … as in LOG_LEVEL. */
  readonly level: string;
  /** Lines for people, with colours; else one JSON object a line. Default: whether stderr is a terminal. */
  readonly pretty?: boolean;
  /** For tests: takes the lines in place of stderr. */
  readonly writeLine?: (line: string) => void;
}

/**
 * The log of a process, on stderr: stdout is for what the process has to say to the person who started it. Access
 * tokens, passwords and other secrets in addresses and errors are hidden.
 */
export function createLog({ level, pretty = process.stderr.isTTY === true, writeLine }: LogOptions): Logger {
  const options = { level, base: null, serializers: { err: serializeError }, formatters: { log: redactFields } };
  if (writeLine !== undefined) return pino(options, { write: writeLine });
  // Written at once: a line that is still in memory is lost with the process.
  if (!pretty) return pino(options, destination({ fd: 2, sync: true }));
  return pino(options, { write: (line: string) => void writeSync(2, formatPrettyLine(line)) });
}

/** Without a mail server, the log is where the operator finds the links of mail: those stay (platform/mail.ts). */
function redactFields({ links, ...fields }: Record<string, unknown>): Record<string, unknown> {
  return { ...(redactSecretsDeep(fields) as Record<string, unknown>), ...(links !== undefined && { links }) };
}

/** What a log says of an error. Its other members are left out: a database error carries its whole connection. */
function serializeError(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const { name, message, stack, cause } = error;
  const { code } = error as { code?: unknown };
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

/** A JSON line of the log as a person reads it: time, level, message, the rest as name=value, an error's stack below. */
export function formatPrettyLine(json: string): string {
  const { time, level, msg, err, ...rest } = JSON.parse(json) as Record<string, unknown>;
  const clock = styleText('gray', new Date(Number(time)).toTimeString().slice(0, 8));
  const details = Object.entries(rest).map(([name, value]) =>
    styleText('gray', ` ${name}=${typeof value === 'string' ? value : inspect(value)}`),
  );
  const stack = (err as { stack?: string } | undefined)?.stack;
  const below = stack === undefined ? '' : `\n${stack.replaceAll(/^/gm, '    ')}`;
  return `${clock} ${levelLabels[Number(level)] ?? ''} ${typeof msg === 'string' ? msg : ''}${details.join('')}${below}\n`;
}
