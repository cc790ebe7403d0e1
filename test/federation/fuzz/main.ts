// npm run fuzz -- [--inputs 1000000] [--seed N]: reads mutated documents of other software with every reader. Crashes are
// minimised and stored in test/federation/fuzz/crashes, whose files the tests read from then on.
import { parseArgs } from 'node:util';
import { runFuzz, storeCrash } from './run-fuzz.ts';

const { values } = parseArgs({ options: { inputs: { type: 'string', default: '1000000' }, seed: { type: 'string' } } });
const seed = Number(values.seed ?? Math.floor(Math.random() * 2 ** 31));
console.log(`${values.inputs} inputs with --seed ${seed}`);
const crashes = await runFuzz(Number(values.inputs), seed);
for (const crash of crashes) console.log(`${storeCrash(crash)}\n${crash.error}\n`);
console.log(crashes.length === 0 ? 'no crash' : `${crashes.length} readers crashed`);
process.exitCode = crashes.length === 0 ? 0 : 1;
