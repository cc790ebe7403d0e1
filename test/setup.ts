import { afterAll } from 'vitest';
import { useRsaKeyPairs } from '../server/accounts/keys/rsa-key-pair.ts';
import { systemSequence } from '../server/platform/ids.ts';
import { useCheapHashes } from '../server/users/sign-in/passwords.ts';
import { returnRsaKeyPairs, takeRsaKeyPair } from './rsa-key-pairs.ts';
import { assertServersFinished } from './unfinished-servers.ts';

useCheapHashes();
useRsaKeyPairs(takeRsaKeyPair);

// Declared before the hooks of the file, so they run after them.
afterAll(returnRsaKeyPairs);
afterAll(assertServersFinished);
// A command that a file ran continues after the ids of a clock that it advanced, and a worker runs several files.
afterAll(() => {
  systemSequence.last = 0n;
});
