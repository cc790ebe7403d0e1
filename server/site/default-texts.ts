/** Used until staff write their own. */
export const defaultExtendedDescription = `<p>This server runs Fieldfare. People with an account on it can post, follow each other, and follow people on thousands of other servers that use the ActivityPub protocol.</p>
<p>The people who run this server have not described it yet. If it has rules and a contact, you find them on this page.</p>`;

/** Used until staff write their own. Describes what the software does by default. */
export const defaultPrivacyPolicy = `<p><strong>What data we store</strong></p>
<p>Your e-mail address, a hash of your password, your username, your profile, your posts with their media, your votes, favourites and bookmarks, and the accounts that you follow, block and mute. When you sign up or sign in, we store the IP address of your device and the name of your browser. For every app that you authorize, we store its name and when it was last used; you can revoke its access in the settings of your account.</p>
<p><strong>Who can see it</strong></p>
<p>Everyone can read public and unlisted posts, without an account. Posts to followers reach your followers and the people you mention; direct posts reach only the people you mention. Posts are copied to the servers of those people, and the staff of each server can technically read them. Nothing is end-to-end encrypted, so do not share secrets. Only the staff of this server can see your e-mail address.</p>
<p><strong>What it is used for</strong></p>
<p>To run the server: to show and deliver your posts, to let you sign in, to send you the e-mail that you request, and to stop abuse. We do not sell it, and there is no advertising.</p>
<p><strong>How long we store it</strong></p>
<p>Until you delete it. What you delete is hidden at once and removed soon after. We ask other servers to delete their copies too; most do, but we cannot force them.</p>
<p><strong>Cookies</strong></p>
<p>Only cookies that are needed to sign in and to use the forms of this site.</p>`;
