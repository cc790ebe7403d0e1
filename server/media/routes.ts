import type { Route } from '../platform/http/routes.ts';
import { bundledImageRoutes } from './bundled-images.ts';
import { proxyRoutes } from './proxy/proxy-routes.ts';
import { uploadRoutes } from './upload/upload-routes.ts';

export const routes: Route[] = [...bundledImageRoutes, ...uploadRoutes, ...proxyRoutes];
