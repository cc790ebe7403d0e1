import { Type } from 'typebox';
import { Value } from 'typebox/value';
import type { PrivacyPolicy } from '../schema.ts';

const maxItems = 50;
const maxLength = 2_000;

const info = Type.Object({ capabilities: Type.Array(Type.Unknown()), privacyPolicy: Type.Array(Type.Unknown()) });
const capability = Type.Object({
  id: Type.String({ pattern: '^[a-z][a-z0-9_]{0,63}$' }),
  version: Type.String({ pattern: '^[0-9]{1,3}([.][0-9]{1,3})?$' }),
});
const policy = Type.Object({ url: Type.String(), language: Type.String({ maxLength: 35 }) });
const details = Type.Object({
  signInUrl: Type.Optional(Type.Unknown()),
  contactEmail: Type.Optional(Type.Unknown()),
  fediverseAccount: Type.Optional(Type.Unknown()),
});

/** What a provider says about itself (provider_info.md of the specification). */
export interface ProviderInfo {
  readonly capabilities: readonly { readonly name: string; readonly version: string }[];
  readonly privacyPolicies: readonly PrivacyPolicy[];
  readonly signInUrl: string | null;
  readonly contactEmail: string | null;
  readonly fediverseAccount: string | null;
}

/** Parses the information about a provider; undefined if it lacks what it must have. Values of another form are left out. */
export function parseProviderInfo(value: unknown): ProviderInfo | undefined {
  if (!Value.Check(info, value) || !Value.Check(details, value)) return undefined;
  const versions = new Map(
    value.capabilities
      .slice(0, maxItems)
      .filter((item) => Value.Check(capability, item))
      .map(({ id, version }) => [id, version]),
  );
  return {
    capabilities: [...versions].map(([name, version]) => ({ name, version })),
    privacyPolicies: value.privacyPolicy
      .slice(0, maxItems)
      .filter((item) => Value.Check(policy, item))
      .filter(({ url }) => parseUrl(url) !== null)
      .map(({ url, language }) => ({ url, language })),
    signInUrl: parseUrl(value.signInUrl),
    contactEmail: parseText(value.contactEmail),
    fediverseAccount: parseText(value.fediverseAccount),
  };
}

/** Staff open it in a browser. */
function parseUrl(value: unknown): string | null {
  const text = parseText(value);
  return text !== null && /^https?:\/\//i.test(text) && URL.canParse(text) ? text : null;
}

const parseText = (value: unknown): string | null =>
  typeof value === 'string' && value !== '' && value.length <= maxLength ? value : null;
