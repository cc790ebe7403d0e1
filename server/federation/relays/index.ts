// Relays: subscriptions, what is delivered to them and what they send.
export { addRelay, removeRelay, type NewRelay } from './add-relay.ts';
export { pageOfRelays, presentRelay } from './find-relays.ts';
export { subscribeRelay, unsubscribeRelay } from './subscribe-relay.ts';
