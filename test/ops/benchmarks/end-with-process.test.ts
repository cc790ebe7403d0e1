import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const bench = join(import.meta.dirname, '..', '..', '..', 'bench');

/** Modules that start programs, and a statement that starts one. */
const starters = {
  'start-process.ts': `const { startProcess } = await import(url);
    const { id } = await startProcess('sh', ['-c', 'echo ready; exec sleep 1000'], { ready: /ready/ });`,
  'cluster/program.ts': `const { Program } = await import(url);
    const { processId: id } = await Program.start({ command: 'sleep', args: ['1000'], isReady: async () => true });`,
};

const isAlive = (id: number): boolean => {
  try {
    return process.kill(id, 0);
  } catch {
    return false;
  }
};

test.for(
  Object.entries(starters).flatMap(([file, start]) =>
    (['SIGTERM', 'SIGINT', 'SIGHUP'] as const).map((signal) => [signal, file, start] as const),
  ),
)('%s to a benchmark ends what %s started', async ([signal, file, start]) => {
  const script = `const url = ${JSON.stringify(join(bench, file))};
    ${start}
    process.stdout.write(String(id) + '\\n');
    process.stdin.resume();`;
  const benchmark = spawn(process.execPath, ['--input-type=module', '--eval', script], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const { value } = (await benchmark.stdout[Symbol.asyncIterator]().next()) as { value?: Buffer };
  const id = Number(String(value));
  expect(isAlive(id)).toBe(true);
  benchmark.kill(signal);
  const [code] = (await once(benchmark, 'exit')) as [number | null];
  expect(code).toBe(1);
  await expect.poll(() => isAlive(id)).toBe(false);
});
