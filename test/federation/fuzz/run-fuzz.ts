import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { countCpuTime } from '../../cpu-time.ts';
import { isRefusal, targets, type FuzzTarget } from './targets.ts';

/** Inputs that crashed a reader once, minimised. The test reads each of them. */
const crashFolder = join(import.meta.dirname, 'crashes');

/** CPU time of one input. */
const maxInputMs = 2_000;

/** An input that crashed a reader. */
export interface Crash {
  readonly target: string;
  readonly input: unknown;
  readonly error: string;
}

/** Reads an input as its target does. Throws what is not a refusal, and if it takes too long. */
export async function readInput({ read }: FuzzTarget, input: unknown): Promise<void> {
  const cpuMs = countCpuTime();
  try {
    await read(input);
  } catch (error) {
    if (!isRefusal(error)) throw error;
  }
  if (cpuMs() > maxInputMs) throw new Error(`one input took ${Math.round(cpuMs())} ms`);
}

/** Tries about `count` inputs, which follow from the seed. Returns the minimised input of each reader that crashed. */
export async function runFuzz(count: number, seed: number): Promise<Crash[]> {
  const crashes: Crash[] = [];
  for (const target of targets) {
    const property = fc.asyncProperty(target.input, (input) => readInput(target, input));
    const result = await fc.check(property, { numRuns: Math.ceil(count * target.share), seed, endOnFailure: false });
    if (!result.failed) continue;
    crashes.push({
      target: target.name,
      input: result.counterexample?.[0],
      error: String(result.errorInstance instanceof Error ? result.errorInstance.stack : result.errorInstance),
    });
  }
  return crashes;
}

/** Stores a crash for the test and returns the path. */
export function storeCrash(crash: Crash): string {
  const text = `${JSON.stringify({ target: crash.target, input: crash.input }, null, 2)}\n`;
  const hash = createHash('sha256').update(text).digest('hex').slice(0, 12);
  const path = join(crashFolder, `${crash.target}-${hash}.json`);
  mkdirSync(crashFolder, { recursive: true });
  writeFileSync(path, text);
  return path;
}

/** Returns the stored crashes, by the names of their files. */
export function storedCrashes(): [name: string, crash: Pick<Crash, 'target' | 'input'>][] {
  return readdirSync(crashFolder)
    .filter((name) => name.endsWith('.json'))
    .map((name) => [name, JSON.parse(readFileSync(join(crashFolder, name), 'utf8')) as Crash]);
}
