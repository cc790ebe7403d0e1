// The frame around every page: navigation, header, and the page for unknown addresses.
export { AppLayout } from './app-layout.tsx';
export { currentOf, destinations } from './destinations.ts';
export { NotFoundPage } from './not-found-page.tsx';
export { PageHeader } from './page-header.tsx';
