import type { Catalogue } from '../catalogue.ts';

export const statuses: Catalogue['statuses'] = {
  boostPrivate: 'لا يمكن إعادة نشر منشور خاص',
  editBoost: 'لا يمكن تعديل منشور معاد نشره',
  editPending: 'لا يمكن تعديل رد ينتظر الموافقة',
  favouriteNotPermitted: 'لا يسمح لك صاحب هذا المنشور بإضافته إلى المفضلة',
  noConversation: 'لا ينتمي المنشور إلى أي محادثة',
  nothingToQuote: 'المنشور المراد اقتباسه غير موجود',
  pinBoost: 'لا يمكن تثبيت منشور معاد نشره',
  pinDirect: 'لا يمكن تثبيت المنشورات التي لا تظهر إلا للمشار إليهم',
  pinForeign: 'لا يمكنك تثبيت منشورات الآخرين',
  pollNeedsSignIn: 'استطلاع الرأي هذا غير متاح للعامة: سجّل دخولك لرؤيته',
  quoteBoost: 'لا يمكن اقتباس منشور معاد نشره',
  quoteUnmentioned: 'لا يمكن للإشارة الخاصة أن تقتبس إلا من الحسابات المشار إليها فيها',
  reactionNotPermitted: 'لا يسمح لك صاحب هذا المنشور بالتفاعل معه',
  reblogNotPermitted: 'لا يسمح لك صاحب هذا المنشور بإعادة نشره',
  replyNotPermitted: 'لا يسمح لك صاحب هذا المنشور بالرد عليه',
  scheduledTooSoon: 'يجب أن يكون موعد النشر بعد خمس دقائق على الأقل',
  textTooLong: 'تجاوز النص الحد الأقصى لعدد الأحرف ({max})',
  threadNeedsApproval: 'صاحب هذا المنشور يراجع الردود قبل قبولها: أرسل ردك في منشور واحد',
  tooManyIds: 'عدد المعرّفات كبير جدًا (الحد الأقصى: {max})',
  tooManyPins: 'لقد بلغت الحد الأقصى لعدد المنشورات المثبتة',
  tooManyReactions: 'بلغ عدد ردود الفعل حده الأقصى ({max})',
  tooManyScheduled: 'الحد الأقصى لعدد المنشورات المجدولة: {max}',
  tooManyScheduledPerDay: 'الحد الأقصى لعدد المنشورات المجدولة في اليوم الواحد: {max}',
  unexpectedAccounts: 'سيُرسل المنشور إلى حسابات غير متوقعة',
};

export const threads: Catalogue['threads'] = {
  atMost: 'عدد العناصر كبير جدًا (الحد الأقصى: {max})',
  fieldProblem: '{field}: {problem}',
  notSchedulable: 'الجدولة غير مدعومة للخيوط؛ جدوِل منشورات منفردة عبر POST /api/v1/statuses',
};

export const drafts: Catalogue['drafts'] = {
  changed: 'تغيّرت المسودة في هذه الأثناء: حمّلها من جديد',
  filesUnavailable: 'أحد الملفات غير موجود أو ليس لك أو مستخدم في منشور آخر أو مسودة أخرى',
  pollTooLong: 'خيارات كثيرة أو طويلة جدًا (الحد الأقصى للخيارات: {maxOptions}، ولعدد أحرف كل خيار: {maxLength})',
  tooManyDrafts: 'لقد بلغت الحد الأقصى لعدد المسودات ({max})',
  tooManyFiles: 'لقد بلغت الحد الأقصى لعدد الملفات في المسودات ({max})',
};

export const bookmarks: Catalogue['bookmarks'] = {
  notBookmarked: 'أحد المنشورات ليس في الفواصل المرجعية',
  searchTooLong: 'عبارة البحث طويلة جدًا (الحد الأقصى لعدد الأحرف: {max}، ولعدد الكلمات: {maxWords})',
  tooManyFolders: 'لقد بلغت الحد الأقصى لعدد مجلدات الفواصل المرجعية ({max})',
};

export const polls: Catalogue['polls'] = {
  alreadyVoted: 'سبق لك التصويت في هذا الاستطلاع',
  duplicateOptions: 'تحتوي الخيارات على عناصر مكررة',
  ended: 'انتهى استطلاع الرأي',
  optionTooLong: 'أحد الخيارات طويل جدًا (الحد الأقصى لعدد الأحرف: {max})',
  ownPoll: 'لا يمكنك التصويت في استطلاعاتك',
  tooFewOptions: 'يجب توفير أكثر من خيار واحد',
  tooManyOptions: 'عدد الخيارات كبير جدًا (الحد الأقصى: {max})',
  unknownChoice: 'الخيار المحدد غير موجود',
};

export const media: Catalogue['media'] = {
  attachmentFailed: 'لا يمكن إرفاق ملفات تعذّرت معالجتها',
  attachmentInUse: 'الملف المرفق مستخدم حاليًا في أحد المنشورات',
  attachmentNotReady: 'لا يمكن إرفاق ملفات لم تكتمل معالجتها بعد. أعد المحاولة بعد لحظات!',
  attachmentUnavailable: 'أحد الملفات غير موجود أو ليس لك أو مستخدم في منشور آخر',
  animationNotConvertible: 'لا يستطيع هذا الخادم تحويل الصور المتحركة من هذا النوع أو بهذا الطول',
  animationTooLarge: 'الصور المتحركة بمقاس {width}x{height} غير مدعومة',
  audioNotConvertible: 'لا يمكن لهذا الخادم تحويل ملفات صوتية من هذا النوع',
  busy: 'تجري معالجة ملفات كثيرة جدًا حاليًا؛ أعد المحاولة بعد بضع ثوانٍ',
  fileTooLarge: 'إدخال غير صالح – الملف: يجب أن يقل الحجم عن 16 ميغابايت',
  gifNotConvertible: 'لا يمكن لهذا الخادم تحويل ملفات GIF بهذا العدد من الإطارات',
  gifTooLarge: 'ملفات GIF بأبعاد {width}x{height} غير مدعومة',
  heicUnsupported: 'لا يمكن لهذا الخادم قراءة صور HEIC',
  imageTooLarge: 'الصور بأبعاد {width}x{height} غير مدعومة',
  mixedAttachments: 'لا يمكن إرفاق مقطع فيديو أو ملف صوتي مع ملفات أخرى',
  processingFailed: 'حدث خطأ أثناء معالجة الصورة المصغرة للملف المرفوع',
  rangeNotSatisfiable: 'النطاق المطلوب من الملف غير متوفر',
  sourceGone: 'الملف المصدر لم يعد موجودًا',
  thumbnailTooLarge: 'إدخال غير صالح – الصورة المصغرة: يجب أن يقل الحجم عن 16 ميغابايت',
  tooLong: 'الملفات التي تزيد مدتها على 4 ساعات غير مدعومة',
  tooManyAttachments: 'عدد الملفات المرفقة كبير جدًا (الحد الأقصى: {max})',
  unverifiedType: 'تعذّر التحقق من نوع الملف المرفوع',
  videoFrameRate: 'مقاطع الفيديو بمعدل {rate} إطارًا في الثانية غير مدعومة',
  videoNotConvertible: 'لا يمكن لهذا الخادم تحويل مقاطع فيديو من هذا النوع',
  videoTooLarge: 'مقاطع الفيديو بأبعاد {width}x{height} غير مدعومة',
  videoTooManyFrames: 'عدد إطارات الفيديو كبير جدًا (الحد الأقصى: {max})',
};

export const emojis: Catalogue['emojis'] = {
  exists: 'الإيموجي :{shortcode}: موجود من قبل',
  invalidShortcode: 'يجب أن يتكون الرمز المختصر من 2 إلى 128 من الحروف اللاتينية أو الأرقام أو الشرطات السفلية',
  notLocal: 'لا يمكن تغيير سوى الإيموجي المحلية',
  notRemote: 'لا يمكن نسخ سوى الإيموجي من الخوادم الأخرى',
  tooMany: 'عدد كبير جدًا من الرموز دفعة واحدة: {max} على الأكثر',
  unknown: 'لا يوجد إيموجي :{shortcode}:',
};

export const hashtags: Catalogue['hashtags'] = {
  tooManyFeatured: 'لقد بلغت الحد الأقصى لعدد الوسوم المعروضة في ملفك الشخصي',
};

export const filters: Catalogue['filters'] = {
  severalKeywords:
    'تنطبق هذه المعلمات على أكثر من كلمة مفتاحية في عامل التصفية، ولا يمكن تغييرها بهذا الإصدار من واجهة API',
  statusTaken: 'المنشور مضاف إلى عامل التصفية من قبل',
  tooManyCharacters: 'لقد بلغت الحد الأقصى لعدد أحرف الكلمات المفتاحية في عوامل التصفية ({max})',
  tooManyFilters: 'لقد بلغت الحد الأقصى لعدد عوامل التصفية ({max})',
  tooManyKeywords: 'لقد بلغت الحد الأقصى لعدد الكلمات المفتاحية في عوامل التصفية ({max})',
  tooManyStatuses: 'لقد بلغت الحد الأقصى لعدد المنشورات المُصفّاة ({max})',
};

export const search: Catalogue['search'] = {
  busy: 'عمليات البحث الجارية كثيرة جدًا؛ أعد المحاولة بعد بضع ثوانٍ',
  pagingNeedsSignIn: 'لا يمكن التنقل بين صفحات نتائج البحث دون تسجيل الدخول',
  positivePaging: 'يجب أن تكون قيمتا `offset` و`limit` موجبتين',
  resolvingNeedsSignIn: 'لا يمكن البحث في الخوادم الأخرى دون تسجيل الدخول',
  tooSlow: 'يستغرق هذا البحث وقتًا طويلًا؛ جرّب كلمات أقل أو أندر',
};

export const translation: Catalogue['translation'] = {
  quotaUsedUp: 'استُنفدت حصة الترجمة المخصصة لهذا الخادم. أعد المحاولة لاحقًا',
  rateLimited: 'تلقّت خدمة الترجمة طلبات كثيرة جدًا. أعد المحاولة لاحقًا',
};
