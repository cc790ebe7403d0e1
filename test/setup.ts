import { afterAll } from 'vitest';
import { useCheapHashes } from '../server/users/sign-in/passwords.ts';
import { assertServersFinished } from './unfinished-servers.ts';

useCheapHashes();

// Declared before the hooks of the file, so it runs after them.
afterAll(assertServersFinished);
