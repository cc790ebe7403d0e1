import type { Account, CustomEmoji } from '../api/entities.ts';
import { splitAtEmojis } from './prepare-html.ts';

/** A text with the images of custom emojis in place of their shortcodes. */
export function EmojiText({ text, emojis }: { readonly text: string; readonly emojis: readonly CustomEmoji[] }) {
  if (emojis.length === 0) return <>{text}</>;
  const byShortcode = new Map(emojis.map((emoji) => [emoji.shortcode, emoji]));
  return (
    <>
      {splitAtEmojis(text, byShortcode).map((piece, index) =>
        typeof piece === 'string' ? (
          piece
        ) : (
          <img
            key={index}
            class="emoji"
            src={piece.static_url}
            alt={`:${piece.shortcode}:`}
            title={`:${piece.shortcode}:`}
          />
        ),
      )}
    </>
  );
}

/** The name of an account as its owner writes it; the username if there is none. */
export function DisplayName({ account }: { readonly account: Pick<Account, 'display_name' | 'username' | 'emojis'> }) {
  return (
    <bdi>
      <EmojiText text={nameOf(account)} emojis={account.emojis} />
    </bdi>
  );
}

/** The name of an account in bold, and its handle. */
export function NameAndHandle({ account }: { readonly account: Account }) {
  return (
    <>
      <strong class="one-line">
        <DisplayName account={account} />
      </strong>
      <span class="one-line soft" dir="ltr">
        @{account.acct}
      </span>
    </>
  );
}

/** Returns the name of an account as its owner writes it; the username if there is none. */
export const nameOf = ({ display_name: name, username }: Pick<Account, 'display_name' | 'username'>): string =>
  name === '' ? username : name;

const startsRightToLeft =
  /^\P{L}*[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u;

/** Returns the direction of a text: that of its first letter. */
export const directionOf = (text: string): 'ltr' | 'rtl' => (startsRightToLeft.test(text) ? 'rtl' : 'ltr');
