/**
 * A telephone number as people write it, or undefined: 7 to 15 digits (E.164) with the usual signs between them, perhaps
 * with an extension; `tel:` before it is dropped. A spreadsheet's `6.1755E+09` is none.
 */
export function phoneNumber(text: string): string | undefined {
  const plain = text.trim().replace(/^tel:\s*/i, '')
  const [, number = ''] = FORM.exec(plain.slice(0, 80)) ?? []
  const digits = number.replace(/\D/g, '').length
  return plain.length <= 80 && digits >= 7 && digits <= 15 ? plain : undefined
}

const FORM = /^([+(]?[\d(][\d\s().\-/\u2010-\u2015\u00a0]*?)(?:[\s,;]*(?:ext\.?|extension|x|#)\s*\d{1,7})?$/i
