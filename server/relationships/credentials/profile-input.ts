import { Type, type Static } from 'typebox';
import { fileSchema } from '../../platform/http/parse-params.ts';
import type { CredentialChanges } from './update-credentials.ts';

const text = Type.Optional(Type.String());
const flag = Type.Optional(Type.Boolean());

/** The parameters that change a profile, to be spread into a route's `input`. */
export const profileInput = {
  display_name: text,
  note: text,
  avatar: Type.Optional(fileSchema()),
  avatar_description: text,
  header: Type.Optional(fileSchema()),
  header_description: text,
  locked: flag,
  bot: flag,
  discoverable: flag,
  hide_collections: flag,
  indexable: flag,
  attribution_domains: Type.Optional(Type.Array(Type.String())),
  fields_attributes: Type.Optional(Type.Array(Type.Object({ name: text, value: text }))),
};
const ProfileInput = Type.Object(profileInput);

/** Two images of 8 MB, base64-encoded at worst, and text. */
export const maxProfileBodyBytes = 24 * 1024 * 1024;

/** Converts the parameters to profile changes. */
export function toProfileChanges(input: Static<typeof ProfileInput>): CredentialChanges {
  return {
    profile: {
      displayName: input.display_name,
      note: input.note,
      locked: input.locked,
      bot: input.bot,
      discoverable: input.discoverable,
      indexable: input.indexable,
      hideCollections: input.hide_collections,
      attributionDomains: input.attribution_domains?.filter((domain) => domain.trim() !== ''),
      fields: input.fields_attributes,
      avatarDescription: input.avatar_description,
      headerDescription: input.header_description,
    },
    avatar: input.avatar,
    header: input.header,
  };
}
