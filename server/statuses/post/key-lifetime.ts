const hourMs = 3600_000;
const weekMs = 7 * 24 * hourMs;

const randomUuid = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/iu;

/**
 * Returns how long an Idempotency-Key is kept, in milliseconds (STA-10): a random UUID (version 4) for a week, because an
 * app may be offline that long after it lost a response, and no other post has the same one. Other keys may be derived
 * from the text of a post, which is posted again on purpose: an hour, as in Mastodon.
 */
export const keyLifetimeMs = (key: string): number => (randomUuid.test(key) ? weekMs : hourMs);
