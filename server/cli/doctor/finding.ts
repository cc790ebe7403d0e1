/** What a check of the doctor found. */
export interface Finding {
  readonly subject: string;
  readonly state: 'ok' | 'warn' | 'fail';
  readonly detail: string;
  /** How to fix it. */
  readonly fix?: string;
}
