/**
 * Starts to count the CPU time of this process. The returned function returns the milliseconds used since then. Unlike
 * elapsed time, they do not grow while other processes keep the machine busy.
 */
export function countCpuTime(): () => number {
  const begun = process.cpuUsage();
  return () => {
    const { user, system } = process.cpuUsage(begun);
    return (user + system) / 1_000;
  };
}
