import { afterAll } from 'vitest';
import { assertServersFinished } from './unfinished-servers.ts';

// Declared before the hooks of the file, so it runs after them.
afterAll(assertServersFinished);
