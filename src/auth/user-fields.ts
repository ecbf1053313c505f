import { APIError } from 'better-auth/api'

const NAME_LENGTH_MAX = 100
const EMAIL_LENGTH_MAX = 254

/**
 * A person as the library is about to write one, made fit: a name of 1 to 100 visible characters, an address in lower case,
 * no picture (it would be another host's). Throws the library's error 400.
 */
export async function cleanPerson<T extends { name?: string; email?: string }>(person: T) {
  const { name, email } = person
  if (email !== undefined && email.length > EMAIL_LENGTH_MAX) {
    refuse('EMAIL_TOO_LONG', `The e-mail address must have at most ${EMAIL_LENGTH_MAX} characters.`)
  }
  if (name === undefined) return { data: { ...person, image: null } }
  const cleaned = name.replace(/[\p{Cc}\p{Cf}\s]+/gu, ' ').trim() || (email?.split('@')[0] ?? '')
  if (cleaned === '') refuse('NAME_MISSING', 'Please tell your name.')
  if (cleaned.length > NAME_LENGTH_MAX) {
    refuse('NAME_TOO_LONG', `The name must have at most ${NAME_LENGTH_MAX} characters.`)
  }
  return { data: { ...person, name: cleaned, image: null } }
}

function refuse(code: string, message: string): never {
  throw new APIError('BAD_REQUEST', { code, message })
}
