/** Test servers whose work was not checked yet, with the tests that started them. */
export const unfinishedServers = new Map<object, string>();

/** Throws if a test started a server and did not dispose of it, so that what it left behind was never checked. */
export function assertServersFinished(): void {
  const tests = new Set(unfinishedServers.values());
  unfinishedServers.clear();
  if (tests.size > 0) throw new Error(`these tests did not dispose of a server:\n${[...tests].join('\n')}`);
}
