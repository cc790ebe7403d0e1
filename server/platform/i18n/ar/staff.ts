import type { Catalogue } from '../catalogue.ts';

export const moderation: Catalogue['moderation'] = {
  appeal: 'تقديم طعن',
  appealApproved: 'قبِل فريق الإشراف الطعن الذي قدّمته، وأُلغي القرار.',
  appealApprovedDeleted:
    'قبِل فريق الإشراف الطعن الذي قدّمته، ولم يعد القرار محسوبًا عليك. لا يمكن استعادة المنشورات المحذوفة.',
  appealPending: 'لقد قدّمت طعنًا في هذا القرار. سيردّ عليك فريق الإشراف عبر البريد الإلكتروني.',
  appealRejected: 'رفض فريق الإشراف الطعن الذي قدّمته.',
  appealText: 'لماذا ترى أن القرار خاطئ',
  disabled: 'تم تعطيل حسابك',
  jobUnchangeable: 'المهمة قيد التنفيذ أو لم تفشل',
  noStrikes: 'لا توجد أي قرارات.',
  sensitized: 'تظهر جميع وسائط حسابك على أنها حساسة',
  silenced: 'تم تقييد حسابك',
  statusesDeleted: 'حُذفت منشورات لك',
  statusesSensitized: 'صُنّفت منشورات لك على أنها حساسة',
  strikesTitle: 'قرارات فريق الإشراف بشأن حسابك',
  suspended: 'تم تعليق حسابك',
  warned: 'لقد تلقيت تحذيرًا',
  appealDecided: 'سبق البتّ في هذا الطعن',
  appealedBefore: 'سبق تقديم طعن في هذا القرار',
  appealTooLate: 'لم يعد بالإمكان الطعن في هذا القرار: فقد مر عليه {days} يومًا',
  suspendFirst: 'لا يمكن حذف سوى الحسابات التي علّقها فريق الإشراف: علّق الحساب أولًا',
};

export const heldPosts: Catalogue['heldPosts'] = {
  decided: 'سبق البتّ في هذا المنشور',
  tooMany: 'لديك منشورات كثيرة جدًا تنتظر المراجعة',
  unpublishable: 'لم يعد بالإمكان نشر هذا المنشور: حساب صاحبه معلَّق، أو حُذف المنشور الذي يرد عليه',
};

export const moderationRules: Catalogue['moderationRules'] = {
  followRefused: 'تمنع إحدى قواعد الإشراف على هذا الخادم هذه المتابعة',
  notBlurhash: 'يجب إدخال قيم BlurHash كما في مرفقات المنشورات',
  notForSubject: 'لا يمكن استخدامه في قواعد {subject}',
  onlyForPosts: 'لا يمكن استخدام {name} إلا في قواعد المنشورات',
  onlyPostsTried: 'لا يمكن تجربة سوى قواعد المنشورات',
  trialRuns: 'هناك تجربة أخرى لهذه القاعدة قيد التنفيذ',
  postRefused: 'تمنع إحدى قواعد الإشراف على هذا الخادم نشر هذا المنشور',
  signUpRefused: 'تمنع إحدى قواعد الإشراف على هذا الخادم هذا التسجيل',
  tooMany: 'عدد قواعد الإشراف كبير جدًا (الحد الأقصى: {max})',
  tooManyCharacters: 'عدد أحرف الكلمات المفتاحية في جميع القواعد كبير جدًا (الحد الأقصى: {max})',
  unknownCondition: 'هذا الشرط غير معروف',
};

export const hosts: Catalogue['hosts'] = {
  paused: 'التسليم إلى {domain} موقوف مؤقتًا: استأنفه أولًا',
};

export const relays: Catalogue['relays'] = {
  domainBlocked: 'لا يجري تبادل المنشورات مع {domain}: ألغِ حظره أولًا',
  known: 'هذا المُرحِّل موجود في القائمة من قبل: {url}',
  tooMany: 'لقد بلغت الحد الأقصى لعدد المُرحِّلات ({max})',
  urlLocal: 'لا يمكن استخدام عنوان على هذا الخادم',
  urlNotPublic: 'يجب إدخال عنوان https على مضيف عمومي وبالمنفذ المعتاد',
};

export const reports: Catalogue['reports'] = {
  ownAccount: 'لا يمكنك الإبلاغ عن حسابك',
  unknownRules: 'القواعد المحددة غير موجودة',
};

export const measures: Catalogue['measures'] = {
  archives: 'أرشيفات الحسابات',
  customEmojis: 'الإيموجي المخصصة',
  mediaCache: 'ذاكرة التخزين المؤقت لوسائط الخوادم الأخرى',
  profileImages: 'صور الملفات الشخصية والأغلفة',
  siteImages: 'صور الموقع',
  valkey: 'Valkey',
  mediaStorage: 'تخزين الوسائط',
  tooManyKeys: 'عدد المفاتيح كبير جدًا (الحد الأقصى: {max})',
  unknownLanguage: 'لغة غير معروفة',
  website: 'الموقع الإلكتروني',
};

export const site: Catalogue['site'] = {
  alreadyAnnounced: 'سبق إشعار المستخدمين بهذا الإصدار',
  unknownLanguage: 'رمز لغة غير معروف: {code}',
};

export const webhooks: Catalogue['webhooks'] = {
  badTemplate: 'متغيّر غير صالح: {text}',
  disabled: 'خطاف الويب معطَّل: فعّله أولًا',
  missingPermission: 'يتطلب الحدث {event} الصلاحية {permission}',
  missingScope: 'يتطلب الحدث {event} الإذن {scope}',
  needsApp: 'يمكن للتطبيقات وحدها إنشاء خطافات الويب: استخدم رمز وصول',
  tooMany: 'لقد بلغت الحد الأقصى لعدد خطافات الويب ({max})',
  tooManyVariables: 'عدد المتغيّرات كبير جدًا (الحد الأقصى: {max})',
  urlLocal: 'لا يمكن استخدام عنوان على هذا الخادم',
  urlNotPublic: 'يجب إدخال عنوان https على مضيف عمومي وبالمنفذ المعتاد',
};

export const invites: Catalogue['invites'] = {
  invalid: 'هذه الدعوة استُنفدت أو انتهت صلاحيتها',
  isInvalid: 'استُنفدت الدعوة أو انتهت صلاحيتها',
  create: 'إنشاء الدعوة',
  expiresAt: 'تنتهي الصلاحية: {date}.',
  expiresIn: 'تنتهي صلاحيتها بعد',
  hint: 'يتيح الرابط للآخرين إنشاء حساب حتى عندما يكون التسجيل مغلقًا.',
  hintApproval: 'يتيح الرابط للآخرين إنشاء حساب حتى عندما يكون التسجيل مغلقًا. ويوافق فريق الإشراف على كل طلب تسجيل.',
  maxUses: 'عدد الأشخاص',
  never: 'أبدًا',
  newTitle: 'دعوة جديدة',
  none: 'ليس لديك أي دعوات.',
  outOfRange: 'يجب إدخال عدد صحيح من 1 إلى {max}',
  revoke: 'إبطال',
  revokeOf: 'إبطال الدعوة {code}',
  title: 'الدعوات',
  tooMany: 'لقد بلغت الحد الأقصى لعدد الدعوات ({max})',
  unlimited: 'بلا حد',
  usedCount: {
    zero: 'لم يسجّل أحد بعد.',
    one: 'سجّل شخص واحد.',
    two: 'سجّل شخصان.',
    few: 'سجّل {count} أشخاص.',
    many: 'سجّل {count} شخصًا.',
    other: 'سجّل {count} شخص.',
  },
  usedOf: 'استُخدمت {uses} من أصل {max}.',
  uses: {
    zero: 'لا أحد',
    one: 'شخص واحد',
    two: 'شخصان',
    few: '{count} أشخاص',
    many: '{count} شخصًا',
    other: '{count} شخص',
  },
};

export const announcements: Catalogue['announcements'] = {
  allDayNeedsTimes: 'يتطلب خيار «طوال اليوم» وقت بداية ووقت نهاية',
  alreadyReacted: 'سبق أن تفاعلت بهذا الإيموجي',
  tooManyReactions: 'بلغ عدد ردود الفعل المختلفة حده الأقصى',
};
