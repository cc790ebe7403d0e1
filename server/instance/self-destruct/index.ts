/** The end of an instance: deletes all local accounts, here and on other servers. */
export { selfDestructStatus, startSelfDestruct, stopSelfDestruct, type SelfDestructStatus } from './self-destruct.ts';
