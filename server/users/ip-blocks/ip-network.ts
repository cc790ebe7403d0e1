import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import { parseIPv6 } from '../../platform/rate-limits/address-block.ts';

/** An IP address as a number. */
export interface IpNumber {
  readonly bits: 32 | 128;
  readonly value: bigint;
}

/** Addresses that share the first `prefix` bits. */
export interface IpNetwork extends IpNumber {
  readonly prefix: number;
}

/** Parses an IP address; undefined if it is none. An IPv4-mapped IPv6 address is its IPv4 address. */
export function parseIp(text: string): IpNumber | undefined {
  const [address = ''] = text.split('%', 1);
  const version = isIP(address);
  if (version === 0) return undefined;
  if (version === 4) return fromBytes(ipaddr.IPv4.parse(address).toByteArray());
  const parsed = parseIPv6(address);
  return fromBytes((parsed.isIPv4MappedAddress() ? parsed.toIPv4Address() : parsed).toByteArray());
}

/** Parses an address or a network such as 192.0.2.0/24; undefined if it is neither. Clears the bits of the host. */
export function parseIpNetwork(text: string): IpNetwork | undefined {
  const [, address = '', length] = /^([^/%]+)(?:\/(\d{1,3}))?$/.exec(text.trim()) ?? [];
  const ip = parseIp(address);
  if (ip === undefined) return undefined;
  const { bits, value } = ip;
  const isMapped = bits === 32 && address.includes(':');
  const prefix = length === undefined ? bits : Number(length) - (isMapped ? 96 : 0);
  if (prefix < 0 || prefix > bits) return undefined;
  const hostBits = BigInt(bits - prefix);
  return { bits, prefix, value: (value >> hostBits) << hostBits };
}

/** Returns whether a network contains an address. */
export const isInNetwork = ({ bits, prefix, value }: IpNetwork, ip: IpNumber): boolean =>
  ip.bits === bits && ip.value >> BigInt(bits - prefix) === value >> BigInt(bits - prefix);

/** Formats a network as 192.0.2.0/24. */
export function formatIpNetwork({ bits, prefix, value }: IpNetwork): string {
  const bytes = Array.from({ length: bits / 8 }, (_, index) =>
    Number((value >> BigInt(bits - 8 * (index + 1))) & 255n),
  );
  return `${ipaddr.fromByteArray(bytes).toString()}/${prefix}`;
}

const fromBytes = (bytes: readonly number[]): IpNumber => ({
  bits: bytes.length === 4 ? 32 : 128,
  value: bytes.reduce((value, byte) => (value << 8n) | BigInt(byte), 0n),
});
