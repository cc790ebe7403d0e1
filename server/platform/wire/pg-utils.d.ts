declare module 'pg/lib/utils.js' {
  /** Converts the value of a parameter to what is sent. Throws for objects that contain themselves. */
  export function prepareValue(value: unknown): string | Buffer | null;
}
