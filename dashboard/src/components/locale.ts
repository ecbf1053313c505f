const { locale } = new Intl.NumberFormat().resolvedOptions()

/** The visitor's language, but with the digits 0 to 9, which the texts around have: `ar-EG-u-nu-latn`. */
export const LOCALE = new Intl.Locale(locale, { numberingSystem: 'latn' }).toString()
