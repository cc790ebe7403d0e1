// Trials: a rule is compared with past posts before it is enabled.
export { findTrial, listRuleTrials } from './find-trials.ts';
export { startRuleTrial } from './start-trial.ts';
export { storeTrialProgress } from './store-progress.ts';
