/** Stands until staff write their own. */
export const defaultExtendedDescription = `<p>This server runs Fieldfare. People with an account here write posts, follow each other, and follow people on thousands of other servers that speak the same language, ActivityPub.</p>
<p>The people who run it have not written about it yet. Its rules, if there are any, and whom to ask stand on this page too.</p>`;

/** Stands until staff write their own: says what the software does by itself, which is what it can know. */
export const defaultPrivacyPolicy = `<p><strong>What is kept</strong></p>
<p>Your e-mail address, a scrambled form of your password, your username, and what you write on your profile and in posts: text, pictures, votes, favourites, bookmarks, whom you follow, block and mute. When you sign in, the address of your device and the name of your browser or app are noted, so that you can see and end your sessions.</p>
<p><strong>Who sees it</strong></p>
<p>Public and unlisted posts can be read by anybody, without an account. Posts to followers reach your followers and the people you name; direct posts reach only the people you name. They are copied to the servers of those people, and the staff of each server involved can technically read them: nothing here is encrypted from one end to the other, so do not share secrets. Your e-mail address is seen by the staff of this server only.</p>
<p><strong>What it is used for</strong></p>
<p>To run the server: to show and deliver what you write, to let you sign in, to write you the mail that you ask for, and to stop abuse. It is not sold, and there is no advertising.</p>
<p><strong>How long it is kept</strong></p>
<p>As long as you leave it here. What you delete is hidden at once and removed soon after; other servers are told to delete their copies, which they usually do and cannot be forced to.</p>
<p><strong>Cookies</strong></p>
<p>Only those that keep you signed in.</p>`;
