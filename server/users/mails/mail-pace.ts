/** Mails of a batch, and the pause between two, so that other mail does not wait behind thousands of notices. */
export const mailBatchSize = 100;
export const mailBatchPauseMs = 30_000;

/** Returns when the mail at a place among many begins to be sent. */
export const mailPace = (now: Date, index: number): Date =>
  new Date(now.getTime() + Math.floor(index / mailBatchSize) * mailBatchPauseMs);
