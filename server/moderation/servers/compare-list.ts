import type { App } from '../../platform/app.ts';
import { countFollowsWithDomains } from '../../relationships/severances/index.ts';
import { coversBlock, findBlocks, type BlockColumns } from '../../site/domains/index.ts';
import type { ListedBlock } from './schema.ts';

/** Compares the blocks in a list with the stored blocks. Counts the follows that new suspensions would cut. */
export async function compareBlocks(app: App, listed: ReadonlyMap<string, BlockColumns>): Promise<ListedBlock[]> {
  const existing = await findBlocks(app, [...listed.keys()]);
  const compared = Array.from(listed, ([domain, block]) => {
    const before = existing.get(domain);
    return { domain, block, before, change: changeOf(block, before) };
  });
  const suspended = compared.filter(
    ({ block, before, change }) => change !== 'none' && block.severity === 'suspend' && before?.severity !== 'suspend',
  );
  const lost = await countFollowsWithDomains(
    app,
    suspended.map(({ domain }) => domain),
  );
  return compared.map(({ domain, block, before, change }) => ({
    domain,
    change,
    listed: limitsOf(block),
    existing: before === undefined ? null : limitsOf(before),
    lost_following: lost.get(domain)?.following ?? 0,
    lost_followers: lost.get(domain)?.followers ?? 0,
  }));
}

/** The comments and the obfuscation of a stored block are never changed by a list. */
function changeOf(block: BlockColumns, before: BlockColumns | undefined): ListedBlock['change'] {
  if (before === undefined) return 'create';
  if (coversBlock(block, before) && coversBlock(before, block)) return 'none';
  return coversBlock(block, before) ? 'strengthen' : coversBlock(before, block) ? 'weaken' : 'strengthen';
}

const limitsOf = (block: BlockColumns): ListedBlock['listed'] => ({
  severity: block.severity,
  reject_media: block.reject_media,
  reject_reports: block.reject_reports,
  obfuscate: block.obfuscate,
  public_comment: block.public_comment,
});
