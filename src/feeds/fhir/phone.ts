/**
 * A telephone number as it may be handed on, or undefined: something with at least three digits that a person can read
 * and dial. A `tel:` before it is dropped; any other protocol, markup and overlong texts are refused. What it says is kept
 * as it is, words and extension included, for nobody else knows what its publisher's switchboard takes.
 */
export function phoneText(text: string): string | undefined {
  if (PLAIN.test(text)) return text
  const plain = text.replace(/^\s*tel:/i, '').trim()
  if (plain.length > LENGTH_MAX || MARKUP.test(plain) || PROTOCOL.test(plain)) return undefined
  return (plain.match(/\d/g)?.length ?? 0) >= 3 ? plain : undefined
}

/** What a US number lacks or has too much of, or undefined. Numbers of other countries are only counted. */
export function phoneFault(text: string): string | undefined {
  const [number = ''] = text.replace(/^\s*tel:/i, '').split(/(?:ext|x|#|,|;)/i, 1)
  // 1-800-FLOWERS: the letters are digits.
  if (/[a-z]/i.test(number)) return undefined
  const digits = number.replace(/\D/g, '')
  if (digits.length === 3) return undefined
  if (number.trim().startsWith('+') && !digits.startsWith('1'))
    return digits.length >= 8 && digits.length <= 15 ? undefined : `${digits.length} digits`
  const national = digits.length === 11 && digits.startsWith('1') ? digits.slice(1) : digits
  return national.length === 10 ? undefined : `${national.length} digits`
}

const LENGTH_MAX = 100

/** Nearly all numbers are like this. */
const PLAIN = /^\+?[\d(][\d ().-]{6,24}$/

const MARKUP = /[<>"'`{}\\]/

/** "Phone: 413-555-0100" is a label, `javascript:alert(1)` is not. */
const PROTOCOL = /^(?:[a-z][a-z0-9+.-]*:(?!\s)|(?:javascript|vbscript|data)\s*:)/i
