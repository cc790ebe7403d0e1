interface Deadline {
  readonly ms: number;
  /** The reason for which the signal aborts when the time is over. */
  readonly createError: () => Error;
}

/** Runs `run` with a signal that aborts when the time is over, or when `signal` does. */
export async function withDeadline<Result>(
  signal: AbortSignal | undefined,
  { ms, createError }: Deadline,
  run: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const controller = new AbortController();
  const abort = (): void => controller.abort(signal?.reason);
  const timer = setTimeout(() => controller.abort(createError()), ms);
  signal?.addEventListener('abort', abort, { once: true });
  try {
    signal?.throwIfAborted();
    return await run(controller.signal);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', abort);
  }
}
