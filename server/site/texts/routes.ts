import { Type } from 'typebox';
import { post, type Route } from '../../platform/http/routes.ts';
import { renderSiteText, siteTextTypes } from './render-site-text.ts';
import { SiteTextPreview } from './schema.ts';

export const siteTextRoutes: readonly Route[] = [
  post('/api/v1/fieldfare/admin/site_texts/preview', {
    summary: 'Show how a text about the site would be stored, without storing it; Markdown becomes HTML',
    access: 'staff:manage_settings',
    scope: 'admin:read',
    input: Type.Object({
      content: Type.String({ maxLength: 100_000 }),
      content_type: Type.Optional(Type.Enum([...siteTextTypes], { description: 'Default: text/html' })),
    }),
    bodyLimit: 2 * 1_048_576,
    allowSlowBody: true,
    response: SiteTextPreview,
    handle: ({ app, input: { content, content_type: type = 'text/html' } }) =>
      Promise.resolve({ content: renderSiteText(app, content, type) }),
  }),
];
