import { Type } from 'typebox';
import { fileSchema } from '../../platform/http/parse-params.ts';
import { pageInput, paginated, parsePage } from '../../platform/http/pages.ts';
import { del, get, post, put, type Route } from '../../platform/http/routes.ts';
import { idSchema } from '../../platform/id-schema.ts';
import { addEmoji, deleteEmoji, setEmojiDisabled } from './change-emojis.ts';
import { changeEmojis, emojiBatchActions } from './change-emoji-batch.ts';
import { copyEmoji } from './copy-emoji.ts';
import { listEmojisForStaff, loadEmojis, requireEmoji } from './list-emojis.ts';
import { AdminEmoji, AdminEmojiBatch } from '../schema.ts';
import { updateEmoji } from './update-emoji.ts';

const limits = { defaultLimit: 100, maxLimit: 200 };
const readAccess = { access: 'staff:manage_custom_emojis', scope: 'admin:read' } as const;
const writeAccess = { access: 'staff:manage_custom_emojis', scope: 'admin:write' } as const;
const params = Type.Object({ id: idSchema<'emoji'>() });
const category = Type.Optional(Type.String({ description: 'Category in the picker; blank for none' }));
const visible = Type.Optional(Type.Boolean({ description: 'Whether the picker shows it' }));

/** Mastodon has no API for its custom emojis. */
export const emojiAdminRoutes: readonly Route[] = [
  get('/api/v1/fieldfare/admin/custom_emojis', {
    summary: 'List the custom emojis, local and remote, newest first',
    ...readAccess,
    input: Type.Object({
      ...pageInput(limits),
      origin: Type.Optional(Type.Enum(['local', 'remote'])),
      state: Type.Optional(Type.Enum(['enabled', 'disabled'])),
      by_domain: Type.Optional(Type.String()),
      shortcode: Type.Optional(Type.String({ description: 'The beginning of the shortcode' })),
    }),
    response: Type.Array(AdminEmoji),
    async handle({ app, input: { origin, state, by_domain: domain, shortcode, ...input }, request }) {
      const filters = { origin, state, domain, shortcode };
      const { emojis, ...ends } = await listEmojisForStaff(app, parsePage(input, limits), filters);
      return paginated(app, request, { json: emojis, ...ends });
    },
  }),
  post('/api/v1/fieldfare/admin/custom_emojis', {
    summary: 'Add a local custom emoji; 409 if there is one with this shortcode',
    ...writeAccess,
    input: Type.Object({ shortcode: Type.String(), image: fileSchema(), category, visible_in_picker: visible }),
    response: AdminEmoji,
    async handle({ app, viewer, input: { shortcode, image, category: name, visible_in_picker: visibleInPicker } }) {
      const emoji = { shortcode: shortcode.trim(), path: image.path, category: name, visibleInPicker };
      return requireEmoji(app, await addEmoji(app, viewer.accountId, emoji));
    },
  }),
  post('/api/v1/fieldfare/admin/custom_emojis/batch', {
    summary: 'Change, enable, disable, delete or copy many emojis; each that cannot be is reported',
    ...writeAccess,
    input: Type.Object({
      ids: Type.Array(idSchema<'emoji'>(), { description: 'At most 200' }),
      action: Type.Enum([...emojiBatchActions], {
        description: '`update` sets the given properties; `copy` copies remote emojis in the background',
      }),
      category,
      visible_in_picker: visible,
    }),
    response: AdminEmojiBatch,
    async handle({ app, viewer, request, input: { ids, visible_in_picker: visibleInPicker, ...change } }) {
      const unchanged = await changeEmojis(app, viewer.accountId, { ids, visibleInPicker, ...change });
      return {
        emojis: await loadEmojis(app, ids),
        errors: unchanged.map(({ id, error }) => ({ id, error: error.render(request.locale) })),
      };
    },
  }),
  get('/api/v1/fieldfare/admin/custom_emojis/:id', {
    summary: 'Show a custom emoji to staff',
    ...readAccess,
    params,
    response: AdminEmoji,
    handle: ({ app, params: { id } }) => requireEmoji(app, id),
  }),
  put('/api/v1/fieldfare/admin/custom_emojis/:id', {
    summary: 'Change the category, visibility or image of a local emoji',
    ...writeAccess,
    params,
    input: Type.Object({ image: Type.Optional(fileSchema()), category, visible_in_picker: visible }),
    response: AdminEmoji,
    async handle({ app, viewer, params: { id }, input }) {
      const { image, category: name, visible_in_picker: visibleInPicker } = input;
      await updateEmoji(app, viewer.accountId, { id }, { path: image?.path, category: name, visibleInPicker });
      return requireEmoji(app, id);
    },
  }),
  post('/api/v1/fieldfare/admin/custom_emojis/:id/copy', {
    summary: 'Copy a remote emoji in the background; local_id is set when it is done',
    ...writeAccess,
    params,
    input: Type.Object({ category }),
    response: AdminEmoji,
    async handle({ app, viewer, params: { id }, input }) {
      await copyEmoji(app, viewer.accountId, { id, category: input.category });
      return requireEmoji(app, id);
    },
  }),
  post('/api/v1/fieldfare/admin/custom_emojis/:id/disable', {
    summary: 'Show the shortcode instead of an emoji, local or remote',
    ...writeAccess,
    params,
    response: AdminEmoji,
    async handle({ app, viewer, params: { id } }) {
      await setEmojiDisabled(app, viewer.accountId, { id, disabled: true });
      return requireEmoji(app, id);
    },
  }),
  post('/api/v1/fieldfare/admin/custom_emojis/:id/enable', {
    summary: 'Show a disabled emoji again',
    ...writeAccess,
    params,
    response: AdminEmoji,
    async handle({ app, viewer, params: { id } }) {
      await setEmojiDisabled(app, viewer.accountId, { id, disabled: false });
      return requireEmoji(app, id);
    },
  }),
  del('/api/v1/fieldfare/admin/custom_emojis/:id', {
    summary: 'Delete a local emoji with its images',
    ...writeAccess,
    params,
    response: Type.Object({}),
    async handle({ app, viewer, params: { id } }) {
      await deleteEmoji(app, viewer.accountId, { id });
      return {};
    },
  }),
];
