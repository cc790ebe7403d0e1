import { Type } from 'typebox';
import { notFound } from '../platform/http/problems.ts';
import { get } from '../platform/http/routes.ts';
import { presentTags } from './present-tags.ts';
import { Tag } from './schema.ts';

export const routes = [
  get('/api/v1/tags/:name', {
    summary: 'A hashtag and how much it was used',
    access: 'anyone',
    params: Type.Object({ name: Type.String() }),
    response: Tag,
    async handle({ app, viewer, params }) {
      const [tag] = await presentTags(app, viewer, [params.name]);
      if (tag === undefined) throw notFound();
      return tag;
    },
  }),
];
