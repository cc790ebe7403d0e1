import { Type } from 'typebox';
import { post } from '../../platform/http/routes.ts';
import { uncheckedIdSchema } from '../../platform/id-schema.ts';
import { parseIdempotencyKey } from '../post/idempotency-header.ts';
import { Status } from '../schema.ts';
import { assertNotScheduled, scheduledAtInput } from './assert-not-scheduled.ts';
import { parsePosts } from './parse-posts.ts';
import { presentThread } from './present-thread.ts';
import { publishThread } from './publish-thread.ts';
import { maxThreadPosts, postsInput } from './schema.ts';

export const threadRoutes = [
  post('/api/v1/fieldfare/threads', {
    summary: 'Publish several posts, each a reply to the one before, all or none',
    access: 'user',
    scope: 'write|write:statuses',
    rateLimit: 'statuses',
    input: Type.Object({
      posts: postsInput(`In order, at most ${maxThreadPosts}`),
      in_reply_to_id: Type.Optional(uncheckedIdSchema({ description: 'What the first post replies to' })),
      scheduled_at: scheduledAtInput,
    }),
    response: Type.Array(Status),
    async handle({ app, viewer, caller, input, request }) {
      assertNotScheduled(input.scheduled_at);
      const ids = await publishThread(app, viewer.accountId, {
        posts: parsePosts(input.posts),
        inReplyToId: input.in_reply_to_id,
        applicationId: caller.applicationId,
        idempotencyKey: parseIdempotencyKey(request),
      });
      return presentThread(app, viewer, ids);
    },
  }),
];
