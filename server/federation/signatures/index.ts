// Signatures of HTTP messages: makes, parses and verifies them.
export { sha256 } from './digests.ts';
export { isSignedBy, parseSignature } from './parse-signature.ts';
export { parseResponseSignature } from './rfc9421.ts';
export { signRequest, signResponse, type Signer } from './sign-request.ts';
export { joinHeaders, SignatureError, type ParsedSignature } from './signed-request.ts';
