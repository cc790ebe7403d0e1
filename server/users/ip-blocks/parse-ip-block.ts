import { invalidField, type HttpError } from '../../platform/http/http-errors.ts';
import { cleanText, exceedsLimit } from '../../text/index.ts';
import { formatIpNetwork, isInNetwork, parseIp, parseIpNetwork } from './ip-network.ts';
import type { IpBlockRow, IpBlockSeverity } from './tables.ts';

/** Properties of a block. Absent ones keep their value. */
export interface IpBlockInput {
  /** An address or a network, such as 192.0.2.0/24. */
  readonly ip?: string | undefined;
  readonly severity?: IpBlockSeverity | undefined;
  readonly comment?: string | undefined;
  /** Seconds from now; null or blank: never. */
  readonly expiresIn?: string | number | null | undefined;
  /** The address that the request comes from, which cannot be blocked. */
  readonly requestIp?: string | undefined;
}

/** The widest networks that `no_access` may close, by the number of bits of an address. No block reaches everyone. */
const minPrefix = { 32: 8, 128: 19 } as const;
/** Blocks of wider networks concern very many people. */
const widePrefix = { 32: 16, 128: 32 } as const;
const maxCommentLength = 5_000;
/** A century, so that the year in which the block expires has four digits. */
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

/**
 * Throws 422 if a block would close the server to too many addresses, or to the one that the request comes from: whoever
 * blocks can also undo it.
 */
export function assertBounded({ ip, severity }: Pick<IpBlockRow, 'ip' | 'severity'>, requestIp?: string): void {
  const network = parseIpNetwork(ip);
  if (network === undefined || severity !== 'no_access') return;
  const { bits, prefix } = network;
  if (prefix < minPrefix[bits]) throw invalidField('ip', 'problems.networkTooWide', { length: `/${minPrefix[bits]}` });
  const own = requestIp === undefined ? undefined : parseIp(requestIp);
  if (own !== undefined && isInNetwork(network, own)) throw invalidField('ip', 'problems.coversOwnAddress');
}

/** Returns whether a network has so many addresses that its block needs a second thought. Throws 422 if it is none. */
export function isWideNetwork(text: string): boolean {
  const network = parseIpNetwork(parseNetwork(text));
  return network !== undefined && network.prefix < widePrefix[network.bits];
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
