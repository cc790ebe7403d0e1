import { createHash } from 'node:crypto';
import type { App } from '../platform/app.ts';
import { LoadingCache } from '../platform/caching/cache.ts';
import { evictAll } from '../platform/caching/cache-reactions.ts';
import { preparedQuery } from '../platform/database/prepared-query.ts';
import { domainBlocked, domainUnblocked, siteSettings } from '../site/index.ts';
import type { DomainBlock } from './schema.ts';

interface Row {
  readonly domain: string;
  readonly severity: DomainBlock['severity'];
  readonly public_comment: string | null;
  readonly obfuscate: boolean;
}

const limitingBlocks = preparedQuery<Row>()((db) =>
  db
    .selectFrom('domain_blocks')
    .select(['domain', 'severity', 'public_comment', 'obfuscate'])
    .where('severity', '<>', 'noop')
    .orderBy('severity', 'desc')
    .orderBy('domain')
    .$castTo<Row>(),
);

/** All blocks with their reasons, since visitors may request thousands of them. */
export const blocksCache = new LoadingCache<'blocks', readonly DomainBlock[]>({
  name: 'instance.domain_blocks',
  maxSize: 1,
  ttlMs: 60_000,
  load: async (app) => (await limitingBlocks(app, {})).map(presentBlock),
  evictOn: [evictAll(domainBlocked), evictAll(domainUnblocked)],
});

/**
 * Lists limited and blocked servers, with reasons if the viewer may see them. Returns undefined if the viewer may not see the
 * list.
 */
export async function listDomainBlocks(app: App, isSignedIn: boolean): Promise<DomainBlock[] | undefined> {
  const site = await siteSettings(app);
  const shows = (audience: 'disabled' | 'users' | 'all'): boolean =>
    audience === 'all' || (audience === 'users' && isSignedIn);
  if (!shows(site.showDomainBlocks)) return undefined;
  const blocks = await blocksCache.get(app, 'blocks');
  return shows(site.showDomainBlockReasons) ? [...blocks] : blocks.map((block) => ({ ...block, comment: null }));
}

const presentBlock = ({ domain, severity, public_comment: reason, obfuscate }: Row): DomainBlock => ({
  domain: obfuscate ? maskDomain(domain) : domain,
  digest: createHash('sha256').update(domain).digest('hex'),
  severity,
  comment: reason ?? '',
});

/** Masks the middle of a domain, so that only people who know the domain recognize it. */
export function maskDomain(domain: string): string {
  const visible = Math.max(1, Math.floor(domain.length / 4));
  return Array.from(domain, (character, index) =>
    character === '.' || index < visible || index >= domain.length - visible ? character : '*',
  ).join('');
}
