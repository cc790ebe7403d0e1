/** Who notices what a staff route changes. */
export type Reach =
  /** One local user: the scenario names the target, and staff-routes.test.ts checks the rank. */
  | 'user'
  /** Everyone who uses the server, owners included. */
  | 'everyone'
  /** People who sign up, or change their address. */
  | 'sign-ups'
  /** Other servers and their accounts. */
  | 'servers'
  /** What staff see and do. */
  | 'staff'
  /** Nobody: it reads, or starts work again. */
  | 'nobody';

export interface ReachRow {
  readonly reach: Reach;
  /** The route by which an owner undoes it, or why there is nothing to undo. */
  readonly undo: `${'POST' | 'PUT' | 'PATCH' | 'DELETE'} /${string}` | { readonly never: string };
}

const v1 = '/api/v1/admin';
const own = '/api/v1/fieldfare/admin';
const row = (reach: Reach, undo: ReachRow['undo']): ReachRow => ({ reach, undo });
const never = (reason: string) => ({ never: reason });
const reads = row('nobody', never('It changes nothing.'));
const deletesText = never('Staff write the text again; nobody loses rights or data.');

/** Who every staff route that writes reaches, and how an owner undoes it over the API. */
export const reachOfRoutes: Readonly<Record<string, ReachRow>> = {
  [`DELETE ${v1}/accounts/:id`]: row(
    'user',
    never('Only a suspended account can be deleted, after a decision by rank.'),
  ),
  [`POST ${v1}/accounts/:id/action`]: row('user', `POST ${v1}/accounts/:id/unsuspend`),
  [`POST ${v1}/accounts/:id/approve`]: row('user', `POST ${v1}/accounts/:id/action`),
  [`POST ${v1}/accounts/:id/enable`]: row('user', `POST ${v1}/accounts/:id/action`),
  [`POST ${v1}/accounts/:id/reject`]: row(
    'user',
    never('Only a sign-up that waits can be rejected; it may be repeated.'),
  ),
  [`POST ${v1}/accounts/:id/unsensitive`]: row('user', `POST ${v1}/accounts/:id/action`),
  [`POST ${v1}/accounts/:id/unsilence`]: row('user', `POST ${v1}/accounts/:id/action`),
  [`POST ${v1}/accounts/:id/unsuspend`]: row('user', `POST ${v1}/accounts/:id/action`),
  [`POST ${own}/accounts/:id/role`]: row('user', `POST ${own}/accounts/:id/role`),
  [`POST ${own}/accounts/:id/email`]: row('user', `POST ${own}/accounts/:id/email`),
  [`POST ${own}/accounts/:id/confirm`]: row('user', `POST ${v1}/accounts/:id/action`),
  [`POST ${own}/accounts/:id/resend_confirmation`]: row('user', never('It repeats a mail.')),
  [`POST ${own}/accounts/:id/notes`]: row('staff', `DELETE ${own}/account_notes/:id`),
  [`DELETE ${own}/account_notes/:id`]: row('staff', deletesText),

  [`POST ${v1}/canonical_email_blocks`]: row('sign-ups', `DELETE ${v1}/canonical_email_blocks/:id`),
  [`DELETE ${v1}/canonical_email_blocks/:id`]: row('sign-ups', `POST ${v1}/canonical_email_blocks`),
  [`POST ${v1}/canonical_email_blocks/test`]: reads,
  [`POST ${v1}/email_domain_blocks`]: row('sign-ups', `DELETE ${v1}/email_domain_blocks/:id`),
  [`DELETE ${v1}/email_domain_blocks/:id`]: row('sign-ups', `POST ${v1}/email_domain_blocks`),
  [`POST ${v1}/ip_blocks`]: row('everyone', `DELETE ${v1}/ip_blocks/:id`),
  [`PUT ${v1}/ip_blocks/:id`]: row('everyone', `DELETE ${v1}/ip_blocks/:id`),
  [`DELETE ${v1}/ip_blocks/:id`]: row('everyone', `POST ${v1}/ip_blocks`),

  [`POST ${own}/username_blocks`]: row('sign-ups', `DELETE ${own}/username_blocks/:id`),
  [`PUT ${own}/username_blocks/:id`]: row('sign-ups', `PUT ${own}/username_blocks/:id`),
  [`DELETE ${own}/username_blocks/:id`]: row('sign-ups', `POST ${own}/username_blocks`),

  [`POST ${v1}/dimensions`]: reads,
  [`POST ${v1}/measures`]: reads,
  [`POST ${v1}/retention`]: reads,

  [`POST ${v1}/domain_allows`]: row('servers', `DELETE ${v1}/domain_allows/:id`),
  [`DELETE ${v1}/domain_allows/:id`]: row('servers', `POST ${v1}/domain_allows`),
  [`POST ${v1}/domain_blocks`]: row('servers', `DELETE ${v1}/domain_blocks/:id`),
  [`PUT ${v1}/domain_blocks/:id`]: row('servers', `PUT ${v1}/domain_blocks/:id`),
  [`DELETE ${v1}/domain_blocks/:id`]: row('servers', `POST ${v1}/domain_blocks`),
  [`POST ${own}/domain_allows/import`]: row('servers', `DELETE ${v1}/domain_allows/:id`),
  [`POST ${own}/domain_blocks/import`]: row('servers', `DELETE ${v1}/domain_blocks/:id`),
  [`POST ${own}/domain_lists`]: row('servers', `DELETE ${own}/domain_lists/:id`),
  [`PUT ${own}/domain_lists/:id`]: row('servers', `PUT ${own}/domain_lists/:id`),
  [`DELETE ${own}/domain_lists/:id`]: row('servers', `POST ${own}/domain_lists`),
  [`POST ${own}/domain_lists/:id/apply`]: row('servers', `DELETE ${v1}/domain_blocks/:id`),
  [`POST ${own}/domain_lists/:id/exceptions`]: row('servers', `DELETE ${own}/domain_lists/:id/exceptions`),
  [`DELETE ${own}/domain_lists/:id/exceptions`]: row('servers', `POST ${own}/domain_lists/:id/exceptions`),
  [`POST ${own}/domain_lists/:id/fetch`]: row('nobody', never('It fetches sooner what is fetched daily.')),
  [`POST ${own}/federation/hosts/:domain/pause`]: row('servers', `POST ${own}/federation/hosts/:domain/resume`),
  [`POST ${own}/federation/hosts/:domain/resume`]: row('servers', `POST ${own}/federation/hosts/:domain/pause`),
  [`POST ${own}/federation/hosts/:domain/retry`]: row('nobody', never('It delivers sooner what is delivered anyway.')),
  [`DELETE ${own}/federation/hosts/:domain/queue`]: row(
    'servers',
    never('Posts stay here; the other server misses them.'),
  ),
  [`POST ${own}/relays`]: row('servers', `DELETE ${own}/relays/:id`),
  [`DELETE ${own}/relays/:id`]: row('servers', `POST ${own}/relays`),
  [`POST ${own}/relays/:id/subscribe`]: row('servers', `POST ${own}/relays/:id/unsubscribe`),
  [`POST ${own}/relays/:id/unsubscribe`]: row('servers', `POST ${own}/relays/:id/subscribe`),
  [`POST ${own}/providers/:id/confirm`]: row('everyone', `DELETE ${own}/providers/:id`),
  [`DELETE ${own}/providers/:id`]: row('everyone', never('The provider can register again.')),
  [`POST ${own}/providers/:id/refresh`]: row('nobody', never('It asks sooner what is asked daily.')),
  [`POST ${own}/providers/:id/test`]: row('nobody', never('It only shows whether calls succeed.')),
  [`POST ${own}/providers/:id/capabilities/:capability/enable`]: row(
    'everyone',
    `POST ${own}/providers/:id/capabilities/:capability/disable`,
  ),
  [`POST ${own}/providers/:id/capabilities/:capability/disable`]: row(
    'everyone',
    `POST ${own}/providers/:id/capabilities/:capability/enable`,
  ),

  [`PUT ${v1}/reports/:id`]: row('staff', `PUT ${v1}/reports/:id`),
  [`POST ${v1}/reports/:id/assign_to_self`]: row('staff', `POST ${v1}/reports/:id/unassign`),
  [`POST ${v1}/reports/:id/unassign`]: row('staff', `POST ${v1}/reports/:id/assign_to_self`),
  [`POST ${v1}/reports/:id/resolve`]: row('staff', `POST ${v1}/reports/:id/reopen`),
  [`POST ${v1}/reports/:id/reopen`]: row('staff', `POST ${v1}/reports/:id/resolve`),
  [`POST ${own}/reports/:id/forward`]: row('servers', never('What was sent to another server stays there.')),
  [`POST ${own}/reports/:id/notes`]: row('staff', `DELETE ${own}/reports/:id/notes/:note_id`),
  [`DELETE ${own}/reports/:id/notes/:note_id`]: row('staff', deletesText),
  [`POST ${own}/reports/:id/status_action`]: row(
    'user',
    never('Posts can be deleted by whoever outranks their author.'),
  ),
  [`POST ${own}/held_posts/:id/approve`]: row('user', `POST ${own}/reports/:id/status_action`),
  [`POST ${own}/held_posts/:id/reject`]: row('user', never('The author, who is below, has the text in the mail.')),
  [`POST ${own}/appeals/:id/approve`]: row('user', `POST ${v1}/accounts/:id/action`),
  [`POST ${own}/appeals/:id/reject`]: row('user', `POST ${v1}/accounts/:id/unsuspend`),

  [`PUT ${v1}/tags/:id`]: row('everyone', `PUT ${v1}/tags/:id`),
  [`POST ${v1}/trends/links/:id/approve`]: row('everyone', `POST ${v1}/trends/links/:id/reject`),
  [`POST ${v1}/trends/links/:id/reject`]: row('everyone', `POST ${v1}/trends/links/:id/approve`),
  [`POST ${v1}/trends/links/publishers/:id/approve`]: row('everyone', `POST ${v1}/trends/links/publishers/:id/reject`),
  [`POST ${v1}/trends/links/publishers/:id/reject`]: row('everyone', `POST ${v1}/trends/links/publishers/:id/approve`),
  [`POST ${v1}/trends/statuses/:id/approve`]: row('everyone', `POST ${v1}/trends/statuses/:id/reject`),
  [`POST ${v1}/trends/statuses/:id/reject`]: row('everyone', `POST ${v1}/trends/statuses/:id/approve`),
  [`POST ${v1}/trends/tags/:id/approve`]: row('everyone', `POST ${v1}/trends/tags/:id/reject`),
  [`POST ${v1}/trends/tags/:id/reject`]: row('everyone', `POST ${v1}/trends/tags/:id/approve`),

  [`POST ${own}/announcements`]: row('everyone', `DELETE ${own}/announcements/:id`),
  [`PUT ${own}/announcements/:id`]: row('everyone', `PUT ${own}/announcements/:id`),
  [`DELETE ${own}/announcements/:id`]: row('everyone', deletesText),
  [`POST ${own}/announcements/:id/publish`]: row('everyone', `POST ${own}/announcements/:id/unpublish`),
  [`POST ${own}/announcements/:id/unpublish`]: row('everyone', `POST ${own}/announcements/:id/publish`),
  [`POST ${own}/custom_emojis`]: row('everyone', `DELETE ${own}/custom_emojis/:id`),
  [`PUT ${own}/custom_emojis/:id`]: row('everyone', `PUT ${own}/custom_emojis/:id`),
  [`DELETE ${own}/custom_emojis/:id`]: row('everyone', `POST ${own}/custom_emojis`),
  [`POST ${own}/custom_emojis/:id/copy`]: row('everyone', `DELETE ${own}/custom_emojis/:id`),
  [`POST ${own}/custom_emojis/:id/disable`]: row('everyone', `POST ${own}/custom_emojis/:id/enable`),
  [`POST ${own}/custom_emojis/:id/enable`]: row('everyone', `POST ${own}/custom_emojis/:id/disable`),
  [`POST ${own}/custom_emojis/batch`]: row('everyone', `POST ${own}/custom_emojis/batch`),

  [`POST ${own}/invites`]: row('user', `POST ${own}/invites/:id/expire`),
  [`POST ${own}/invites/:id/expire`]: row('user', `POST ${own}/invites`),
  [`POST ${own}/invites/expire_all`]: row('everyone', `POST ${own}/invites`),
  [`POST ${own}/roles`]: row('staff', `DELETE ${own}/roles/:id`),
  [`PUT ${own}/roles/:id`]: row('everyone', `PUT ${own}/roles/:id`),
  [`DELETE ${own}/roles/:id`]: row('staff', `POST ${own}/roles`),

  [`DELETE ${own}/jobs/:id`]: row('everyone', never('The work is not done; no rights depend on a job.')),
  [`POST ${own}/jobs/:id/retry`]: row('nobody', never('It repeats work sooner.')),
  [`POST ${own}/jobs/retry`]: row('nobody', never('It repeats work sooner.')),
  [`POST ${own}/moderation_rules`]: row('everyone', `POST ${own}/moderation_rules/:id/undo`),
  [`PUT ${own}/moderation_rules/:id`]: row('everyone', `POST ${own}/moderation_rules/:id/undo`),
  [`DELETE ${own}/moderation_rules/:id`]: row('everyone', `POST ${own}/moderation_rules`),
  [`POST ${own}/moderation_rules/:id/trials`]: reads,
  [`POST ${own}/moderation_rules/:id/undo`]: row('everyone', `POST ${v1}/accounts/:id/action`),
  [`POST ${own}/rules`]: row('everyone', `DELETE ${own}/rules/:id`),
  [`PUT ${own}/rules/:id`]: row('everyone', `PUT ${own}/rules/:id`),
  [`DELETE ${own}/rules/:id`]: row('everyone', `POST ${own}/rules`),
  [`POST ${own}/rules/:id/move`]: row('everyone', `POST ${own}/rules/:id/move`),
  [`PUT ${own}/rules/:id/translations/:language`]: row('everyone', `DELETE ${own}/rules/:id/translations/:language`),
  [`DELETE ${own}/rules/:id/translations/:language`]: row('everyone', `PUT ${own}/rules/:id/translations/:language`),
  [`PATCH ${own}/settings`]: row('everyone', `PATCH ${own}/settings`),
  [`PUT ${own}/site_images/:name`]: row('everyone', `DELETE ${own}/site_images/:name`),
  [`DELETE ${own}/site_images/:name`]: row('everyone', `PUT ${own}/site_images/:name`),
  [`POST ${own}/site_texts/preview`]: reads,
  [`PUT ${own}/terms_of_service/draft`]: row('staff', `DELETE ${own}/terms_of_service/draft`),
  [`DELETE ${own}/terms_of_service/draft`]: row('staff', `PUT ${own}/terms_of_service/draft`),
  [`POST ${own}/terms_of_service/draft/publish`]: row('everyone', `POST ${own}/terms_of_service/draft/publish`),
  [`POST ${own}/terms_of_service/:date/announce`]: row('everyone', never('A mail was sent, once for each version.')),
  [`POST ${own}/warning_presets`]: row('staff', `DELETE ${own}/warning_presets/:id`),
  [`PUT ${own}/warning_presets/:id`]: row('staff', `PUT ${own}/warning_presets/:id`),
  [`DELETE ${own}/warning_presets/:id`]: row('staff', `POST ${own}/warning_presets`),
  [`POST ${own}/webhooks`]: row('staff', `DELETE ${own}/webhooks/:id`),
  [`PUT ${own}/webhooks/:id`]: row('staff', `PUT ${own}/webhooks/:id`),
  [`DELETE ${own}/webhooks/:id`]: row('staff', `POST ${own}/webhooks`),
  [`POST ${own}/webhooks/:id/disable`]: row('staff', `POST ${own}/webhooks/:id/enable`),
  [`POST ${own}/webhooks/:id/enable`]: row('staff', `POST ${own}/webhooks/:id/disable`),
  [`POST ${own}/webhooks/:id/rotate_secret`]: row('staff', `POST ${own}/webhooks/:id/rotate_secret`),
};
