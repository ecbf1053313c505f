import { hash, randomInt } from 'node:crypto'
import { textOf } from './auth-request.ts'
import type { Guard } from './guards.ts'

const CODES = 10
const LETTERS = 'abcdefghijklmnopqrstuvwxyz234567'
const GROUPS = 4
const GROUP_LENGTH = 6
const HASHED = 'sha256:'

/**
 * Options of better-auth. Codes have 120 random bits, so SHA-256 without salt or stretching is enough (ASVS 5.0, 6.5.2).
 * better-auth stores what `encrypt()` returns, and compares with what `decrypt()` returns: here both are hashes.
 */
export const BACKUP_CODE_OPTIONS = {
  customBackupCodesGenerate: () => Array.from({ length: CODES }, newCode),
  storeBackupCodes: {
    encrypt: async (json: string) => JSON.stringify((JSON.parse(json) as string[]).map(hashOnce)),
    decrypt: async (stored: string) => stored,
  },
}

/** Digits that codes do not have, and the letters that they look like. */
const LOOKALIKES: Readonly<Record<string, string>> = { 0: 'o', 1: 'l', 8: 'b' }

/** Replaces the code of the request by its hash. Accepts any letter case, codes without hyphens, and digits for similar letters. */
export const hashBackupCode: Guard = async (request, next) => {
  const typed = (textOf(request, 'code') ?? '').toLowerCase()
  const letters = typed.replace(/[018]/g, (digit) => LOOKALIKES[digit]).replace(/[^a-z2-7]/g, '')
  const code = letters.match(new RegExp(`.{1,${GROUP_LENGTH}}`, 'g'))?.join('-') ?? ''
  return next({ ...request, body: { ...request.body, code: hashOnce(code) } })
}

function newCode(): string {
  const group = () => Array.from({ length: GROUP_LENGTH }, () => LETTERS[randomInt(LETTERS.length)]).join('')
  return Array.from({ length: GROUPS }, group).join('-')
}

/** The codes that remain after one was used are hashes already. */
function hashOnce(code: string): string {
  return code.startsWith(HASHED) ? code : HASHED + hash('sha256', code, 'hex')
}
