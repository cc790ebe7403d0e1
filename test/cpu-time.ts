/**
 * Starts to measure the CPU time of this process. The returned function returns the milliseconds used since then.
 * Unlike elapsed time, CPU time does not grow while other processes keep the machine busy.
 */
export function countCpuTime(): () => number {
  const start = process.cpuUsage();
  return () => {
    const { user, system } = process.cpuUsage(start);
    return (user + system) / 1_000;
  };
}
