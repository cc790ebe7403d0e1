// Terms of service: published versions, the draft of the next one, and the notice to users.
export { announceTermsOfService } from './announce-terms-of-service.ts';
export {
  discardTermsDraft,
  findTermsDraft,
  publishTermsDraft,
  saveTermsDraft,
  type TermsDraft,
} from './draft-terms-of-service.ts';
export { publishTermsOfService } from './publish-terms-of-service.ts';
export {
  currentTermsOfService,
  findTermsOfService,
  listTermsOfService,
  type TermsOfService,
} from './terms-of-service.ts';
