import { invalidField, type HttpError } from '../../platform/http/http-errors.ts';
import { cleanText, exceedsLimit } from '../../text/index.ts';
import { formatIpNetwork, parseIpNetwork } from './ip-network.ts';
import type { IpBlockRow, IpBlockSeverity } from './tables.ts';

/** Properties of a block. Absent ones keep their value. */
export interface IpBlockInput {
  /** An address or a network, such as 192.0.2.0/24. */
  readonly ip?: string | undefined;
  readonly severity?: IpBlockSeverity | undefined;
  readonly comment?: string | undefined;
  /** Seconds from now; null or blank: never. */
  readonly expiresIn?: string | number | null | undefined;
}

const maxCommentLength = 5_000;
/** A century, so that the time can be written with four digits. */
const maxSeconds = 3_155_760_000;

/** Returns the columns that an input changes. Throws 422 if a value is invalid. */
export function parseChanges(
  { ip, severity, comment, expiresIn }: IpBlockInput,
  now: Date,
): Partial<Pick<IpBlockRow, 'ip' | 'severity' | 'comment' | 'expires_at'>> {
  return {
    ...(ip !== undefined && { ip: parseNetwork(ip) }),
    ...(severity !== undefined && { severity }),
    ...(comment !== undefined && { comment: parseComment(comment) }),
    ...(expiresIn !== undefined && { expires_at: parseExpiry(expiresIn, now) }),
  };
}

/** Like `parseChanges` for a new block, which needs an address and a severity. */
export function parseNewBlock(input: IpBlockInput, now: Date): Omit<IpBlockRow, 'id' | 'created_at' | 'updated_at'> {
  const { ip, severity, comment = '', expires_at = null } = parseChanges({ ...input, ip: input.ip ?? '' }, now);
  if (ip === undefined || severity === undefined) throw invalidField('severity', 'problems.blank');
  return { ip, severity, comment, expires_at };
}

export const takenError = (): HttpError => invalidField('ip', 'problems.alreadyTaken');

/** Parses an address or a network. Returns it as 192.0.2.0/24. Throws 422 if it is neither. */
export function parseNetwork(text: string): string {
  if (text.trim() === '') throw invalidField('ip', 'problems.blank');
  const network = parseIpNetwork(text);
  if (network === undefined) throw invalidField('ip', 'problems.notIpNetwork');
  return formatIpNetwork(network);
}

function parseComment(text: string): string {
  const comment = cleanText(text).trim();
  if (exceedsLimit(comment, maxCommentLength))
    throw invalidField('comment', 'problems.tooLong', { max: maxCommentLength });
  return comment;
}

function parseExpiry(value: string | number | null, now: Date): Date | null {
  if (value === null || String(value).trim() === '') return null;
  const seconds = Number(value);
  if (!Number.isFinite(seconds) || seconds < 1) throw invalidField('expires_in', 'problems.notSeconds');
  return new Date(now.getTime() + Math.min(Math.trunc(seconds), maxSeconds) * 1_000);
}
