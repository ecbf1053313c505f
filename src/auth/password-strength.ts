import type { ZxcvbnFactory } from '@zxcvbn-ts/core'

/** zxcvbn's scale from 0 to 4: at least 10^8 guesses. */
const SCORE_MIN = 3

/** The number of characters that a password must have besides the words of the person. */
const OTHER_CHARACTERS_MIN = 6

/** zxcvbn's time grows with the square of the length. A weak beginning of this length is a weak password. */
const CHECKED_LENGTH = 48

/** Words of every account: the names of this service. */
const SERVICE_WORDS = ['scheduling', 'slots']

/** Words about the owner of a password that an attacker knows. */
export interface PasswordOwner {
  readonly email?: string | undefined
  readonly name?: string | undefined
  readonly organizations?: readonly string[]
  /** The host of the service. */
  readonly host: string
}

/** Why a password is too easy to guess, as a sentence for people; undefined if it is not. Its length is checked elsewhere. */
export async function passwordWeakness(password: string, owner: PasswordOwner): Promise<string | undefined> {
  const words = ownWords(owner)
  if (withoutWords(password, words).length < OTHER_CHARACTERS_MIN) {
    return 'This password is mostly your name, your email address, your organization or the name of this service. Choose other words.'
  }
  estimator ??= openEstimator()
  const { score, feedback } = (await estimator).check(password.slice(0, CHECKED_LENGTH), words)
  if (score >= SCORE_MIN) return undefined
  const reason = REASONS[feedback.warning ?? ''] ?? 'easy to guess'
  return `This password is ${reason}. Use several unrelated words, or let a password manager choose one.`
}

/** The reasons for the keys of zxcvbn's warnings. */
const REASONS: Readonly<Record<string, string>> = {
  topTen: 'one of the most common passwords',
  topHundred: 'one of the most common passwords',
  common: 'a common password',
  similarToCommon: 'similar to a common password',
  simpleRepeat: 'a repetition',
  extendedRepeat: 'a repetition',
  sequences: 'a sequence such as "abc" or "6543"',
  straightRow: 'a row of keys on the keyboard',
  keyPattern: 'a pattern on the keyboard',
  dates: 'a date',
  recentYears: 'a year',
  userInputs: 'too similar to your name, your email address, your organization or the name of this service',
}

let estimator: Promise<ZxcvbnFactory> | undefined

/** Loaded on first use, because its dictionaries need 24 MB. */
async function openEstimator(): Promise<ZxcvbnFactory> {
  const [{ ZxcvbnFactory }, { adjacencyGraphs: graphs, dictionary }] = await Promise.all([
    import('@zxcvbn-ts/core'),
    import('@zxcvbn-ts/language-common'),
  ])
  return new ZxcvbnFactory({ dictionary, graphs })
}

function ownWords({ email = '', name = '', organizations = [], host }: PasswordOwner): string[] {
  const texts = [email, name, ...organizations, host].map((text) => text.slice(0, 200).toLowerCase())
  const words = texts.flatMap((text) => text.split(/[^\p{L}\p{N}]+/u)).filter((word) => word.length >= 3)
  return [...new Set([...words, ...SERVICE_WORDS])]
}

/** Letters and digits that belong to none of the words. */
function withoutWords(password: string, words: readonly string[]): string {
  const longestFirst = words.toSorted((a, b) => b.length - a.length)
  const rest = longestFirst.reduce((text, word) => text.replaceAll(word, ' '), password.toLowerCase())
  return rest.replace(/[\s._@-]+/g, '')
}
