// Interaction policies: which interactions with a post its author permits, and requests for those that need approval.
import type { Route } from '../platform/http/routes.ts';
import { policyRoutes } from './policy/policy-routes.ts';

export const routes: readonly Route[] = policyRoutes;
