import type { Catalogue } from '../catalogue.ts';

export const moderation: Catalogue['moderation'] = {
  appeal: 'Faire appel',
  appealApproved: 'L’équipe a approuvé votre appel. La décision est annulée.',
  appealApprovedDeleted:
    'L’équipe a approuvé votre appel. La décision n’est plus retenue contre vous. Les messages supprimés ne peuvent pas être rétablis.',
  appealPending: 'Vous avez fait appel de cette décision. L’équipe vous répondra par e-mail.',
  appealRejected: 'L’équipe a rejeté votre appel.',
  appealText: 'Pourquoi cette décision est une erreur',
  disabled: 'Votre compte a été désactivé',
  jobUnchangeable: 'La tâche est en cours d’exécution ou n’a pas échoué',
  noStrikes: 'Il n’y en a aucune.',
  sensitized: 'Tous les médias de votre compte sont affichés comme sensibles',
  silenced: 'Votre compte a été limité',
  statusesDeleted: 'Certains de vos messages ont été supprimés',
  statusesSensitized: 'Certains de vos messages ont été marqués comme sensibles',
  strikesTitle: 'Décisions de l’équipe concernant votre compte',
  suspended: 'Votre compte a été suspendu',
  warned: 'Vous avez reçu un avertissement',
  appealDecided: 'L’appel a déjà été tranché',
  appealedBefore: 'Cette décision a déjà fait l’objet d’un appel',
  appealTooLate: 'Il n’est plus possible de faire appel de cette décision : {days} jours se sont écoulés',
  suspendFirst: 'Un compte ne peut être supprimé que si l’équipe l’a suspendu : suspendez-le d’abord',
};

export const heldPosts: Catalogue['heldPosts'] = {
  decided: 'Une décision a déjà été prise',
  tooMany: 'Trop de vos messages attendent d’être examinés',
  unpublishable:
    'Le message ne peut plus être publié : le compte qui l’a écrit est suspendu, ou le message auquel il répond a été supprimé',
};

export const moderationRules: Catalogue['moderationRules'] = {
  followRefused: 'Une règle de modération de ce serveur n’autorise pas cet abonnement',
  notBlurhash: 'doit contenir des BlurHash, comme ceux des pièces jointes d’un message',
  notForSubject: 'n’est pas possible dans les règles de type {subject}',
  onlyForPosts: 'ne peut contenir {name} que dans les règles sur les messages',
  onlyPostsTried: 'Seules les règles sur les messages peuvent être essayées',
  trialRuns: 'Un autre essai de cette règle est en cours',
  postRefused: 'Une règle de modération de ce serveur n’autorise pas ce message',
  signUpRefused: 'Une règle de modération de ce serveur n’autorise pas cette inscription',
  tooMany: 'Trop de règles de modération : {max} au maximum',
  tooManyCharacters: 'Les mots-clés de toutes les règles comptent trop de caractères : {max} au maximum',
  unknownCondition: 'n’est pas une condition connue',
};

export const hosts: Catalogue['hosts'] = {
  paused: 'Les livraisons vers {domain} sont suspendues : reprends-les d’abord',
};

export const relays: Catalogue['relays'] = {
  domainBlocked: 'Aucun message n’est échangé avec {domain} : levez d’abord son blocage',
  known: 'Ce relais est déjà dans la liste : {url}',
  tooMany: 'Vous avez atteint le nombre maximal de relais ({max})',
  urlLocal: 'ne doit pas être une adresse de ce serveur',
  urlNotPublic: 'doit être une adresse https sur un hôte public et le port habituel',
};

export const reports: Catalogue['reports'] = {
  ownAccount: 'Vous ne pouvez pas signaler votre propre compte',
  unknownRules: 'Certaines des règles indiquées n’existent pas',
};

export const measures: Catalogue['measures'] = {
  archives: 'Archives des comptes',
  customEmojis: 'Émojis personnalisés',
  mediaCache: 'Cache des médias distants',
  profileImages: 'Images de profil et d’en-tête',
  siteImages: 'Images du site',
  valkey: 'Valkey',
  mediaStorage: 'Stockage des médias',
  tooManyKeys: 'Trop de clés : {max} au maximum',
  unknownLanguage: 'Langue inconnue',
  website: 'Site web',
};

export const site: Catalogue['site'] = {
  alreadyAnnounced: 'Les utilisateur·rice·s ont déjà été informé·e·s de cette version',
  unknownLanguage: 'Code de langue inconnu : {code}',
};

export const webhooks: Catalogue['webhooks'] = {
  badTemplate: 'contient une variable non valide : {text}',
  disabled: 'Le webhook est désactivé : activez-le d’abord',
  missingPermission: 'L’événement {event} nécessite la permission {permission}',
  missingScope: 'L’événement {event} nécessite l’autorisation {scope}',
  needsApp: 'Seules les applications peuvent créer des webhooks : utilisez un jeton d’accès',
  tooMany: 'Vous avez atteint le nombre maximal de webhooks ({max})',
  tooManyVariables: 'ne peut pas contenir plus de {max} variables',
  urlLocal: 'ne doit pas être une adresse de ce serveur',
  urlNotPublic: 'doit être une adresse https sur un hôte public et le port habituel',
};

export const invites: Catalogue['invites'] = {
  invalid: 'Cette invitation a atteint sa limite d’utilisation ou a expiré',
  isInvalid: 'a atteint sa limite d’utilisation ou a expiré',
  create: 'Créer l’invitation',
  expiresAt: 'Expire le {date}.',
  expiresIn: 'Expire après',
  hint: 'Avec le lien, d’autres personnes peuvent s’inscrire même lorsque les inscriptions sont fermées.',
  hintApproval:
    'Avec le lien, d’autres personnes peuvent s’inscrire même lorsque les inscriptions sont fermées. L’équipe approuve chaque inscription.',
  maxUses: 'Nombre de personnes',
  never: 'Jamais',
  newTitle: 'Nouvelle invitation',
  none: 'Vous n’avez aucune invitation.',
  outOfRange: 'doit être un nombre entier compris entre 1 et {max}',
  revoke: 'Révoquer',
  revokeOf: 'Révoquer l’invitation {code}',
  title: 'Invitations',
  tooMany: 'Vous avez atteint le nombre maximal d’invitations ({max})',
  unlimited: 'Illimité',
  usedCount: { one: '{count} personne s’est inscrite.', other: '{count} personnes se sont inscrites.' },
  usedOf: 'Utilisations : {uses} sur {max}.',
  uses: { one: '{count} personne', other: '{count} personnes' },
};

export const announcements: Catalogue['announcements'] = {
  allDayNeedsTimes: 'Une annonce sur la journée entière doit avoir un début et une fin',
  alreadyReacted: 'Vous avez déjà réagi avec cet émoji',
  tooManyReactions: 'Le nombre maximal de réactions différentes est atteint',
};
