import { forEachInSlices } from '../../platform/batching/slices.ts';
import { parseIp, parseIpNetwork } from './ip-network.ts';
import type { IpBlockSeverity } from './tables.ts';

/** A block, as far as requests depend on it. */
export interface IpRule {
  readonly ip: string;
  readonly severity: IpBlockSeverity;
  readonly expires_at: Date | null;
}

/** Finds the strictest block of an address. */
export interface IpMatcher {
  /** Where its rules are found, by their texts. */
  readonly places: ReadonlyMap<string, Place>;
  /** Returns the severity of the strictest block; undefined if the address is not blocked. */
  severityOf(ip: string, now: Date): IpBlockSeverity | undefined;
}

/** Where a network is found: its number among those of its length. */
interface Place {
  readonly bits: 32 | 128;
  readonly hostBits: bigint;
  readonly number: bigint;
}

/** The rules whose networks have the same length, by the number of the network. */
interface Level {
  readonly hostBits: bigint;
  readonly rules: Map<bigint, IpRule>;
}

const severities: readonly IpBlockSeverity[] = ['sign_up_requires_approval', 'sign_up_block', 'no_access'];

/**
 * Compiles blocks, in slices: ten thousand take 80 ms. Networks of the previous matcher are not parsed again, so that a
 * change takes 10 ms. A lookup costs one read of a map for each length of network that any block has.
 */
export async function compileIpMatcher(rules: readonly IpRule[], previous?: IpMatcher): Promise<IpMatcher> {
  const levels: Record<32 | 128, Level[]> = { 32: [], 128: [] };
  const places = new Map<string, Place>();
  await forEachInSlices(rules, (rule) => {
    const place = previous?.places.get(rule.ip) ?? placeOf(rule);
    if (place === undefined) return;
    const { bits, hostBits, number } = place;
    places.set(rule.ip, place);
    let level = levels[bits].find((each) => each.hostBits === hostBits);
    if (level === undefined) levels[bits].push((level = { hostBits, rules: new Map() }));
    level.rules.set(number, rule);
  });
  return {
    places,
    severityOf(text, now) {
      if (rules.length === 0) return undefined;
      const ip = parseIp(text);
      if (ip === undefined) return undefined;
      let strictest = -1;
      for (const { hostBits, rules: ofLength } of levels[ip.bits]) {
        const rule = ofLength.get(ip.value >> hostBits);
        if (rule !== undefined && isInForce(rule, now))
          strictest = Math.max(strictest, severities.indexOf(rule.severity));
      }
      return severities[strictest];
    },
  };
}

function placeOf({ ip }: IpRule): Place | undefined {
  const network = parseIpNetwork(ip);
  if (network === undefined) return undefined;
  const { bits, prefix, value } = network;
  const hostBits = BigInt(bits - prefix);
  return { bits, hostBits, number: value >> hostBits };
}

const isInForce = ({ expires_at: expiry }: IpRule, now: Date): boolean => expiry === null || expiry > now;
