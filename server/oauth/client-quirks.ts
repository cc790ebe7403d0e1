import type { ExtraFields } from '../platform/http/extra-fields.ts';

interface ClientQuirk {
  /** The application, by what it registers. */
  readonly name: string;
  readonly website: string;
  /** Constant fields that the application requires, by entity. They say nothing, and no other client gets them. */
  readonly extraFields: ExtraFields;
}

/**
 * Applications that cannot read a response without a field that this server leaves out. Each entry needs a reason in
 * docs/decisions/0140-client-quirks.md and a test.
 */
const clientQuirks: readonly ClientQuirk[] = [
  {
    name: 'Mastodon for iOS',
    website: 'https://app.joinmastodon.org/ios',
    extraFields: { Relationship: { blocked_by: false } },
  },
];

/** Returns the constant fields that an application requires, by entity; undefined if there are none. */
export const extraFieldsOf = (name: string | null, website: string | null): ExtraFields | undefined =>
  clientQuirks.find((quirk) => quirk.name === name && quirk.website === website)?.extraFields;
