import type { Account } from '../api/entities.ts';
import { prepareHtml } from '../ui/prepare-html.ts';
import './profile-header.css';

/** What an account writes about itself. */
export function ProfileBio({ account }: { readonly account: Account }) {
  if (account.note === '') return null;
  const html = prepareHtml(account.note, { emojis: account.emojis });
  // Sanitized by the server.
  return <div class="profile-bio" dir="auto" dangerouslySetInnerHTML={{ __html: html }} />;
}
