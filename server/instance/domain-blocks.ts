import { createHash } from 'node:crypto';
import type { App } from '../platform/app.ts';
import { siteSettings } from '../site/index.ts';
import type { DomainBlock } from './schema.ts';

/**
 * Lists limited and blocked servers, with reasons if the viewer may see them. Returns undefined if the viewer may not see the
 * list.
 */
export async function listDomainBlocks(app: App, isSignedIn: boolean): Promise<DomainBlock[] | undefined> {
  const site = await siteSettings(app);
  const shows = (audience: 'disabled' | 'users' | 'all'): boolean =>
    audience === 'all' || (audience === 'users' && isSignedIn);
  if (!shows(site.showDomainBlocks)) return undefined;
  const rows = await app.db
    .selectFrom('domain_blocks')
    .select(['domain', 'severity', 'public_comment', 'obfuscate'])
    .where('severity', '<>', 'noop')
    .orderBy('severity', 'desc')
    .orderBy('domain')
    .execute();
  const withReasons = shows(site.showDomainBlockReasons);
  return rows.flatMap(({ domain, severity, public_comment: reason, obfuscate }) =>
    severity === 'noop'
      ? []
      : [
          {
            domain: obfuscate ? maskDomain(domain) : domain,
            digest: createHash('sha256').update(domain).digest('hex'),
            severity,
            comment: withReasons ? (reason ?? '') : null,
          },
        ],
  );
}

/** Masks the middle of a domain, so that only people who know the domain recognize it. */
export function maskDomain(domain: string): string {
  const visible = Math.max(1, Math.floor(domain.length / 4));
  return Array.from(domain, (character, index) =>
    character === '.' || index < visible || index >= domain.length - visible ? character : '*',
  ).join('');
}
