/** Builds the web client if its sources changed. Returns false if that failed. */
export function ensureWebClient(): Promise<boolean>;
