/** Base64 VLQ as in source maps: small integers of any sign as one or two characters. */

const DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'
const VALUE_BITS = 5
const MORE = 1 << VALUE_BITS

/** Numbers of at most 30 bits. */
export function encodeVlq(numbers: readonly number[]): string {
  let text = ''
  for (const number of numbers) {
    let rest = number < 0 ? (-number << 1) | 1 : number << 1
    do {
      const bits = rest & (MORE - 1)
      rest >>>= VALUE_BITS
      text += DIGITS[rest === 0 ? bits : bits | MORE]
    } while (rest > 0)
  }
  return text
}

/** The numbers of `encodeVlq()`. */
export function decodeVlq(text: string): number[] {
  const numbers: number[] = []
  let number = 0
  let shift = 0
  for (const digit of text) {
    const value = DIGITS.indexOf(digit)
    number |= (value & (MORE - 1)) << shift
    shift += VALUE_BITS
    if ((value & MORE) !== 0) continue
    numbers.push((number & 1) === 0 ? number >>> 1 : -(number >>> 1))
    number = 0
    shift = 0
  }
  return numbers
}
