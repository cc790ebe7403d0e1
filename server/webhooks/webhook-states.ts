/** No failures and no pause. */
export const healthyState = { failures: 0, outages: 0, failing_since: null, retry_at: null };

export const enabledState = { ...healthyState, disabled_at: null, disabled_reason: null };

/** Disabled by its owner. */
export const disabledState = (now: Date) => ({ disabled_at: now, disabled_reason: 'owner' as const, retry_at: null });
