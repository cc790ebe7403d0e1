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
  /** Returns the severity of the strictest block; undefined if the address is not blocked. */
  severityOf(ip: string, now: Date): IpBlockSeverity | undefined;
}

/** The rules whose networks have the same length, by the number of the network. */
interface Level {
  readonly hostBits: bigint;
  readonly rules: Map<bigint, IpRule>;
}

const severities: readonly IpBlockSeverity[] = ['sign_up_requires_approval', 'sign_up_block', 'no_access'];

/**
 * Compiles blocks, in slices: ten thousand take 100 ms. A lookup costs one read of a map for each length of network that
 * any block has.
 */
export async function compileIpMatcher(rules: readonly IpRule[]): Promise<IpMatcher> {
  const levels = { 32: [] as Level[], 128: [] as Level[] };
  await forEachInSlices(rules, (rule) => {
    const network = parseIpNetwork(rule.ip);
    if (network === undefined) return;
    const hostBits = BigInt(network.bits - network.prefix);
    let level = levels[network.bits].find((each) => each.hostBits === hostBits);
    if (level === undefined) levels[network.bits].push((level = { hostBits, rules: new Map() }));
    level.rules.set(network.value >> hostBits, rule);
  });
  return {
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

const isInForce = ({ expires_at: expiry }: IpRule, now: Date): boolean => expiry === null || expiry > now;
