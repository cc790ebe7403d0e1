import type { Catalogue } from '../catalogue.ts';

export const statuses: Catalogue['statuses'] = {
  boostPrivate: 'Un message privé ne peut pas être partagé',
  editBoost: 'Un partage ne peut pas être modifié',
  editPending: 'Une réponse en attente d’approbation ne peut pas être modifiée',
  favouriteNotPermitted: 'La personne qui a publié ce message ne vous permet pas de l’ajouter à vos favoris',
  noConversation: 'Le message n’appartient à aucune conversation',
  nothingToQuote: 'Le message à citer n’existe pas',
  pinBoost: 'Un partage ne peut pas être épinglé',
  pinDirect: 'Les messages visibles uniquement par les personnes mentionnées ne peuvent pas être épinglés',
  pinForeign: 'Vous ne pouvez épingler que vos propres messages',
  pollNeedsSignIn: 'Ce sondage n’est pas public : connectez-vous pour le voir',
  quoteBoost: 'Un partage ne peut pas être cité',
  quoteUnmentioned: 'Une mention privée ne peut citer que des comptes qu’elle mentionne',
  reactionNotPermitted: 'La personne qui a publié ce message ne vous permet pas d’y réagir',
  reblogNotPermitted: 'La personne qui a publié ce message ne vous permet pas de le partager',
  replyNotPermitted: 'désigne un message auquel vous n’avez pas le droit de répondre',
  scheduledTooSoon: 'La publication doit être programmée au moins cinq minutes à l’avance',
  textTooLong: 'Le texte dépasse la limite de {max} caractères',
  threadNeedsApproval: 'désigne un message dont les réponses doivent être approuvées : répondez par un seul message',
  tooManyIds: 'Trop d’identifiants : {max} au maximum',
  tooManyPins: 'Vous avez déjà épinglé le nombre maximal de messages',
  tooManyReactions: 'Il y a déjà {max} réactions',
  tooManyScheduled: 'Vous ne pouvez pas programmer plus de {max} messages',
  tooManyScheduledPerDay: 'Vous ne pouvez pas programmer plus de {max} messages pour un même jour',
  unexpectedAccounts: 'Le message serait envoyé à des comptes non prévus',
};

export const threads: Catalogue['threads'] = {
  atMost: 'ne peut pas contenir plus de {max} éléments',
  fieldProblem: '{field} : {problem}',
  notSchedulable: 'n’est pas possible pour un fil ; programmez chaque message avec POST /api/v1/statuses',
};

export const drafts: Catalogue['drafts'] = {
  changed: 'Le brouillon a été modifié entre-temps : rechargez-le',
  filesUnavailable:
    'contient un fichier qui n’existe pas, qui ne vous appartient pas ou qui est déjà utilisé dans un autre message ou brouillon',
  pollTooLong: 'ne peut pas avoir plus de {maxOptions} choix, de {maxLength} caractères au maximum chacun',
  tooManyDrafts: 'Vous avez atteint la limite de {max} brouillons',
  tooManyFiles: 'Vous avez atteint la limite de {max} fichiers dans les brouillons',
};

export const bookmarks: Catalogue['bookmarks'] = {
  notBookmarked: 'contient un message qui n’est pas dans vos marque-pages',
  searchTooLong: 'dépasse la limite de {max} caractères et {maxWords} mots',
  tooManyFolders: 'Vous avez atteint la limite de {max} dossiers de marque-pages',
};

export const polls: Catalogue['polls'] = {
  alreadyVoted: 'Vous avez déjà voté à ce sondage',
  duplicateOptions: 'Plusieurs choix sont identiques',
  ended: 'Le sondage est déjà terminé',
  optionTooLong: 'Un choix ne peut pas dépasser {max} caractères',
  ownPoll: 'Vous ne pouvez pas voter à vos propres sondages',
  tooFewOptions: 'Le sondage doit proposer plus d’un choix',
  tooManyOptions: 'Le sondage ne peut pas proposer plus de {max} choix',
  unknownChoice: 'Le choix sélectionné n’existe pas',
};

export const media: Catalogue['media'] = {
  attachmentFailed: 'Les fichiers dont le traitement a échoué ne peuvent pas être joints',
  attachmentInUse: 'Le fichier est actuellement utilisé dans un message',
  attachmentNotReady: 'Le traitement des fichiers à joindre n’est pas terminé. Réessayez dans un instant !',
  attachmentUnavailable:
    'L’un des fichiers n’existe pas, ne vous appartient pas ou est déjà utilisé dans un autre message',
  animationNotConvertible: 'Ce serveur ne peut pas convertir les images animées de ce type ou de cette longueur',
  animationTooLarge: 'Les images animées de {width}x{height} ne sont pas prises en charge',
  audioNotConvertible: 'Ce serveur ne peut pas convertir les fichiers audio de ce type',
  busy: 'Trop de fichiers sont en cours de traitement ; réessayez dans quelques secondes',
  fileTooLarge: 'Échec de la validation : Le fichier doit faire moins de 16 Mo',
  gifNotConvertible: 'Ce serveur ne peut pas convertir les fichiers GIF qui comptent autant d’images',
  gifTooLarge: 'Les fichiers GIF de {width}x{height} pixels ne sont pas pris en charge',
  heicUnsupported: 'Ce serveur ne peut pas lire les images HEIC',
  imageTooLarge: 'Les images de {width}x{height} pixels ne sont pas prises en charge',
  mixedAttachments: 'Une vidéo ou un fichier audio ne peut pas être joint avec d’autres fichiers',
  processingFailed: 'Le traitement du fichier envoyé a échoué',
  rangeNotSatisfiable: 'La plage demandée n’est pas disponible',
  sourceGone: 'le fichier d’origine n’existe plus',
  thumbnailTooLarge: 'Échec de la validation : La miniature doit faire moins de 16 Mo',
  tooLong: 'Les fichiers de plus de 4 heures ne sont pas pris en charge',
  tooManyAttachments: 'Vous ne pouvez pas joindre plus de {max} fichiers',
  unverifiedType: 'Le type du fichier envoyé n’a pas pu être vérifié',
  videoFrameRate: 'Les vidéos à {rate} images par seconde ne sont pas prises en charge',
  videoNotConvertible: 'Ce serveur ne peut pas convertir les vidéos de ce type',
  videoTooLarge: 'Les vidéos de {width}x{height} pixels ne sont pas prises en charge',
  videoTooManyFrames: 'Les vidéos de plus de {max} images ne sont pas prises en charge',
};

export const emojis: Catalogue['emojis'] = {
  exists: 'L’émoji :{shortcode}: existe déjà',
  invalidShortcode: 'Le raccourci doit comporter de 2 à 128 lettres, chiffres ou tirets bas',
  notLocal: 'Seuls les émojis locaux peuvent être modifiés',
  notRemote: 'Seuls les émojis d’autres serveurs peuvent être copiés',
  tooMany: 'Trop d’émojis à la fois : {max} au maximum',
  unknown: 'L’émoji :{shortcode}: n’existe pas',
};

export const hashtags: Catalogue['hashtags'] = {
  tooManyFeatured: 'Vous avez déjà mis en avant le nombre maximal de hashtags',
};

export const filters: Catalogue['filters'] = {
  severalKeywords:
    'Ces paramètres concernent plusieurs mots-clés de filtre et ne peuvent pas être modifiés avec cette version de l’API',
  statusTaken: 'Ce message est déjà dans le filtre',
  tooManyCharacters: 'Vous avez atteint le nombre maximal de caractères dans les mots-clés des filtres ({max})',
  tooManyFilters: 'Vous avez atteint le nombre maximal de filtres ({max})',
  tooManyKeywords: 'Vous avez atteint le nombre maximal de mots-clés de filtre ({max})',
  tooManyStatuses: 'Vous avez atteint le nombre maximal de messages filtrés ({max})',
};

export const search: Catalogue['search'] = {
  busy: 'Trop de recherches sont en cours ; réessayez dans quelques secondes',
  pagingNeedsSignIn: 'Il faut se connecter pour parcourir les pages de résultats',
  positivePaging: 'Les valeurs de `offset` et `limit` doivent être positives',
  resolvingNeedsSignIn: 'Il faut se connecter pour effectuer des recherches sur d’autres serveurs',
  tooSlow: 'Cette recherche prend trop de temps ; essayez avec des mots moins nombreux ou plus rares',
};

export const translation: Catalogue['translation'] = {
  quotaUsedUp: 'Le quota de traduction de ce serveur est épuisé. Réessayez plus tard',
  rateLimited: 'Le service de traduction a reçu trop de requêtes. Réessayez plus tard',
};
