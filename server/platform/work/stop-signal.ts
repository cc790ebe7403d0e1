import { perApp } from '../app.ts';

/** Aborts when this process stops running jobs. A long job that can be repeated ends then and stores itself again. */
export const stopController = perApp(() => new AbortController());
