// Terms of service.
export { publishTermsOfService } from './publish-terms-of-service.ts';
export { currentTermsOfService, listTermsOfService, type TermsOfService } from './terms-of-service.ts';
