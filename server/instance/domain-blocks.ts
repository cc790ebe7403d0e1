import { createHash } from 'node:crypto';
import type { App } from '../platform/app.ts';
import { siteSettings } from '../site/index.ts';
import type { DomainBlock } from './schema.ts';

/**
 * The servers that this one limits or blocks, with the reasons if they are shown to this caller; undefined when the list
 * is not shown to it.
 */
export async function listDomainBlocks(app: App, signedIn: boolean): Promise<DomainBlock[] | undefined> {
  const site = await siteSettings(app);
  const shows = (audience: 'disabled' | 'users' | 'all'): boolean =>
    audience === 'all' || (audience === 'users' && signedIn);
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

/** Hides the middle of a domain, so that those who know it recognise it and others do not find it. */
export function maskDomain(domain: string): string {
  const visible = Math.max(1, Math.floor(domain.length / 4));
  return Array.from(domain, (character, index) =>
    character === '.' || index < visible || index >= domain.length - visible ? character : '*',
  ).join('');
}
