import { writeSync } from 'node:fs';
import { inspect, styleText } from 'node:util';
import { destination, pino, type Logger } from 'pino';

export interface LogOptions {
  /** `info`, `debug` … as in LOG_LEVEL. */
  readonly level: string;
  /** Lines for people, with colours; else one JSON object a line. Default: whether stderr is a terminal. */
  readonly pretty?: boolean;
}

/** The log of a process, on stderr: stdout is for what the process has to say to the person who started it. */
export function createLog({ level, pretty = process.stderr.isTTY === true }: LogOptions): Logger {
  const options = { level, base: null, serializers: { err: describeError } };
  // Written at once: a line that is still in memory is lost with the process.
  if (!pretty) return pino(options, destination({ fd: 2, sync: true }));
  return pino(options, { write: (line: string) => void writeSync(2, prettyLine(line)) });
}

/** What a log says of an error. Its other members are left out: a database error carries its whole connection. */
function describeError(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const { name, message, stack, cause } = error;
  const { code } = error as { code?: unknown };
  return {
    type: name,
    message,
    stack,
    ...(code !== undefined && { code }),
    ...(cause !== undefined && { cause: describeError(cause) }),
  };
}

const names: Record<number, string> = {
  10: styleText('gray', 'trace'),
  20: styleText('gray', 'debug'),
  30: styleText('green', 'info '),
  40: styleText('yellow', 'warn '),
  50: styleText('red', 'error'),
  60: styleText(['red', 'bold'], 'fatal'),
};

/** A JSON line of the log as a person reads it: time, level, message, the rest as name=value, an error's stack below. */
export function prettyLine(json: string): string {
  const { time, level, msg, err, ...rest } = JSON.parse(json) as Record<string, unknown>;
  const clock = styleText('gray', new Date(Number(time)).toTimeString().slice(0, 8));
  const details = Object.entries(rest).map(([name, value]) =>
    styleText('gray', ` ${name}=${typeof value === 'string' ? value : inspect(value)}`),
  );
  const stack = (err as { stack?: string } | undefined)?.stack;
  const below = stack === undefined ? '' : `\n${stack.replaceAll(/^/gm, '    ')}`;
  return `${clock} ${names[Number(level)] ?? ''} ${typeof msg === 'string' ? msg : ''}${details.join('')}${below}\n`;
}
