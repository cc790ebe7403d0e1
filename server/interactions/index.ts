// What others may do with a post, as its author chooses.
import type { Route } from '../platform/http/routes.ts';
import { policyRoutes } from './policy/policy-routes.ts';

export const routes: readonly Route[] = policyRoutes;
