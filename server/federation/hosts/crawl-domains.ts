import { normalizeDomain } from '../../accounts/find/index.ts';
import type { App } from '../../platform/app.ts';
import { domainPolicy } from '../../site/domains/index.ts';
import { parseJson } from '../../text/index.ts';
import { isObject, listOf } from '../documents/values.ts';

/** Servers that are requested at once. */
const concurrency = 16;
const timeoutMs = 10_000;
/** A list of all known servers takes about a megabyte. */
const maxPeersBytes = 4 * 1024 * 1024;
/** Peers of one server that are followed. */
const maxPeers = 50_000;

/** What a server publishes about itself. */
export interface CrawledServer {
  readonly domain: string;
  /** Why it could not be asked; null: it answered. */
  readonly error: string | null;
  readonly software: string | null;
  readonly version: string | null;
  readonly users: number | null;
  readonly posts: number | null;
  /** Servers that it knows; null: it does not publish them. */
  readonly peers: number | null;
}

export interface CrawlOptions {
  /** Where to begin. */
  readonly start: readonly string[];
  /** Maximum number of servers. */
  readonly limit: number;
  /** Skips servers that are suspended here. */
  readonly excludeSuspended: boolean;
  readonly onServer: (server: CrawledServer, known: number) => void;
}

/**
 * Asks servers about themselves and about the servers that they know, breadth first, until `limit` is reached. Only reads;
 * stores nothing. A server that fails or does not answer delays no other.
 */
export async function crawlDomains(
  app: App,
  { start, limit, excludeSuspended, onServer }: CrawlOptions,
): Promise<void> {
  const policy = await domainPolicy(app);
  const isSkipped = (domain: string): boolean =>
    domain === app.config.domain || (excludeSuspended && policy.blockFor(domain).severity === 'suspend');
  const known = new Set(start.filter((domain) => !isSkipped(domain)).slice(0, limit));
  const waiting = [...known];
  const crawlOne = async (domain: string): Promise<void> => {
    const { server, peers } = await askServer(app, domain);
    for (const peer of peers) {
      if (known.size >= limit) break;
      if (known.has(peer) || isSkipped(peer)) continue;
      known.add(peer);
      waiting.push(peer);
    }
    onServer(server, known.size);
  };
  const running = new Set<Promise<void>>();
  while (waiting.length > 0 || running.size > 0) {
    for (const domain of waiting.splice(0, concurrency - running.size)) {
      const crawl = crawlOne(domain).finally(() => running.delete(crawl));
      running.add(crawl);
    }
    await Promise.race(running);
  }
}

async function askServer(app: App, domain: string): Promise<{ server: CrawledServer; peers: readonly string[] }> {
  try {
    const info = await fetchNodeinfo(app, domain);
    const peers = await fetchPeers(app, domain);
    return { server: { domain, error: null, ...info, peers: peers?.length ?? null }, peers: peers ?? [] };
  } catch (error) {
    const empty = { software: null, version: null, users: null, posts: null, peers: null };
    return { server: { domain, error: error instanceof Error ? error.message : String(error), ...empty }, peers: [] };
  }
}

async function fetchNodeinfo(app: App, domain: string): Promise<Omit<CrawledServer, 'domain' | 'error' | 'peers'>> {
  const address = findNodeinfo(await fetchJson(app, `https://${domain}/.well-known/nodeinfo`), domain);
  return parseNodeinfo(address === undefined ? undefined : await fetchJson(app, address));
}

/** Returns the address of the newest NodeInfo document of a domain on that domain. */
export function findNodeinfo(links: unknown, domain: string): string | undefined {
  const hrefs = isObject(links) ? listOf(links['links']).flatMap((link) => (isObject(link) ? [link['href']] : [])) : [];
  return hrefs.findLast(
    (href): href is string => typeof href === 'string' && URL.canParse(href) && new URL(href).host === domain,
  );
}

/** Parses a NodeInfo document of any version; what it lacks is null. */
export function parseNodeinfo(info: unknown): Omit<CrawledServer, 'domain' | 'error' | 'peers'> {
  const software = memberOf(info, 'software');
  const usage = memberOf(info, 'usage');
  return {
    software: textOf(memberOf(software, 'name')),
    version: textOf(memberOf(software, 'version')),
    users: countOf(memberOf(memberOf(usage, 'users'), 'total')),
    posts: countOf(memberOf(usage, 'localPosts')),
  };
}

/** Returns the peers that Mastodon's API lists; undefined if the server has no such list. */
async function fetchPeers(app: App, domain: string): Promise<string[] | undefined> {
  const list = await fetchJson(app, `https://${domain}/api/v1/instance/peers`).catch(() => undefined);
  if (!Array.isArray(list)) return undefined;
  return list
    .slice(0, maxPeers)
    .flatMap((peer) => (typeof peer === 'string' && peer.length <= 253 ? (normalizeDomain(peer) ?? []) : []));
}

async function fetchJson(app: App, url: string): Promise<unknown> {
  const headers = { accept: 'application/json' };
  const { status, body } = await app.outgoing.request(url, { headers, maxBytes: maxPeersBytes, timeoutMs });
  if (status !== 200) throw new Error(`${url} answers ${status}`);
  return parseJson(body.toString('utf8'));
}

const memberOf = (value: unknown, name: string): unknown => (isObject(value) ? value[name] : undefined);
const textOf = (value: unknown): string | null => (typeof value === 'string' ? value.slice(0, 100) : null);
const countOf = (value: unknown): number | null =>
  Number.isSafeInteger(value) && Number(value) >= 0 ? Number(value) : null;
