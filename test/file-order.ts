import { relative } from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Folders with files that take long for their size, because they start processes, browsers or every route. */
const longFolders = ['test/ops/', 'test/staff/', 'test/web/'];

/**
 * Begins with the files that take longest, so that no worker waits for one of them at the end. Vitest knows how long they
 * took last time; in a new checkout it only has their sizes.
 */
export class LongFilesFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    // Returns a new list, as all sequencers do.
    // oxlint-disable-next-line unicorn/no-array-sort
    const sorted = await super.sort(files);
    const areKnown = files.every((file) => this.ctx.cache.getTestSpecificationResult(file) !== undefined);
    return areKnown ? sorted : sorted.toSorted((one, other) => rankOf(one.moduleId) - rankOf(other.moduleId));
  }
}

const rankOf = (moduleId: string): number => {
  const path = relative(process.cwd(), moduleId);
  return longFolders.some((folder) => path.startsWith(folder)) ? 0 : 1;
};
