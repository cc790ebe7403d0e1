// The types of the server and those of the DOM exclude each other: real-server.d.mts has the types for the tests here.
export { RealServer } from '../clients/real-server.ts';
