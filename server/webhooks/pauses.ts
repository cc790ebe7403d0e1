const secondMs = 1_000;
const minuteMs = 60 * secondMs;
const hourMs = 60 * minuteMs;
/** Pauses after one failed attempt, two in a row and so on; the last one applies to all further ones. */
const pausesMs = [10 * secondMs, minuteMs, 5 * minuteMs, 30 * minuteMs, 2 * hourMs, 5 * hourMs, 10 * hourMs];
/** A part of the pause that is drawn at random, so that webhooks that failed together do not retry together. */
const jitter = 0.2;

/** Returns when a pause ends after so many failed attempts in a row; not before the time that the receiver asked for. */
export function pauseEnd(now: Date, failedAttempts: number, requestedSeconds = 0): Date {
  const pauseMs = pausesMs[Math.min(failedAttempts, pausesMs.length) - 1] ?? 0;
  const waitMs = Math.max(pauseMs * (1 + jitter * Math.random()), requestedSeconds * secondMs);
  return new Date(now.getTime() + waitMs);
}
