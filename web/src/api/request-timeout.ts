/** After this time without a response, a connection counts as dead: the server answers within 75 seconds. */
export const requestTimeoutMs = 80_000;
