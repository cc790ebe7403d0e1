// The second factor of a sign-in: authenticator apps (TOTP) and recovery codes.
export { confirmTotp, disableTotp, findUnconfirmedTotp, renewRecoveryCodes, startTotp } from './change-totp.ts';
export { secondFactorFromSql } from './second-factor-from.ts';
export {
  completeSignInByCode,
  findPendingSignIn,
  pendingSignInTtlMinutes,
  type PendingSignIn,
} from './pending-sign-ins.ts';
export { disableSecondFactors, loadSecondFactors, type SecondFactors } from './second-factors.ts';
export { base32, totpUri } from './totp.ts';
