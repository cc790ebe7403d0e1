import { readFileSync } from 'node:fs';

const manifest = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
  readonly version: string;
  readonly workspaces?: readonly string[];
};

/** Version of Fieldfare, from package.json. */
export const { version } = manifest;

/** Whether this runs from a checkout, with `npm start`. A release has only the program. */
export const isCheckout = manifest.workspaces !== undefined;
