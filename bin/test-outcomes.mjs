// The outcomes of a test run. Tests get a second attempt, because browsers, processes and clocks depend on how busy the machine
// is: what passes in one of two attempts has passed.

/** When more files fail, the machine is not the reason. */
const maxRepeatedFiles = 6;

/** Returns the files that a second attempt runs: those that failed, if they are few and nothing else failed. */
export function filesToRepeat({ outcomes, others }) {
  const files = new Set(outcomes.filter(isFailed).map(({ file }) => file));
  return others.length === 0 && files.size <= maxRepeatedFiles ? [...files] : [];
}

/** Returns the outcomes of two attempts together. What a hook kept from running in both has not passed. */
export function combineAttempts(first, second) {
  const combined = new Map(first.outcomes.map((outcome) => [outcome.id, outcome]));
  for (const outcome of second.outcomes) {
    const earlier = combined.get(outcome.id);
    const decides = earlier === undefined || outcome.state === 'passed' || earlier.state === 'skipped';
    if (decides) combined.set(outcome.id, outcome);
  }
  return { outcomes: [...combined.values()], others: [...first.others, ...second.others] };
}

/** Returns lines about what passed in only one of two attempts, and what failed in both. */
export function describeAttempts(first, second) {
  const combined = combineAttempts(first, second);
  const failed = combined.outcomes.filter(isFailed);
  const ids = new Set(failed.map(({ id }) => id));
  const onlyIn = ({ outcomes }) => outcomes.filter((outcome) => isFailed(outcome) && !ids.has(outcome.id));
  return [
    ...section('Passed only in the second attempt, which has a reason in the test or in the product:', onlyIn(first)),
    ...section('Failed only in the second attempt, so they count as passed:', onlyIn(second)),
    ...section('Passed in no attempt:', [...failed, ...combined.others.map((name) => ({ name }))]),
  ];
}

export const hasFailed = ({ outcomes, others }) => others.length > 0 || outcomes.some(isFailed);

/** Returns one plain line that any CI can read. */
export function formatResult({ outcomes, others }) {
  const count = (state) => outcomes.filter((outcome) => outcome.isTest && outcome.state === state).length;
  const failed = outcomes.filter(isFailed).length + others.length;
  const skipped = count('skipped');
  return `${count('passed')} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;
}

const isFailed = ({ state }) => state === 'failed';

const section = (title, entries) => (entries.length === 0 ? [] : [title, ...entries.map(({ name }) => `  ${name}`)]);
