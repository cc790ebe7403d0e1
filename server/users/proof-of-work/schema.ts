import { Type, type Static } from 'typebox';
import { entity } from '../../platform/http/entity.ts';

const Hex = Type.String({ pattern: '^[0-9a-f]+$' });

/** A challenge in the format of ALTCHA (proof of work, version 2), whose libraries solve it. */
export const SignUpChallenge = entity('Fieldfare::SignUpChallenge', {
  parameters: Type.Object({
    algorithm: Type.Literal('PBKDF2/SHA-256'),
    cost: Type.Integer({ description: 'Iterations of PBKDF2' }),
    data: Type.Object({ maxCounter: Type.Integer({ description: 'The counter of the solution is at most this' }) }),
    expiresAt: Type.Integer({ description: 'Unix time in seconds' }),
    keyLength: Type.Integer({ description: 'Bytes of a derived key' }),
    keyPrefix: Hex,
    keySignature: Type.String(),
    nonce: Hex,
    salt: Hex,
  }),
  signature: Type.String(),
});
export type SignUpChallenge = Static<typeof SignUpChallenge>;
