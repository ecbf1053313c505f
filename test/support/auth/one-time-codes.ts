import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { PASSWORD, type Visitor } from './sign-in-harness.ts'

/** Enables two-factor authentication as the dashboard does. */
export async function enableTwoFactor(visitor: Visitor): Promise<{ secret: string; backupCodes: string[] }> {
  const { status, body } = await visitor.post('/two-factor/enable', { password: PASSWORD })
  assert.equal(status, 200)
  assert.match(body.totpURI, /^otpauth:\/\/totp\/Scheduling%20Slots:ada%40example\.org\?secret=/)
  const secret = new URL(body.totpURI).searchParams.get('secret') ?? ''
  // Each code counts once; the tests use the code of the next period.
  assert.equal((await visitor.post('/two-factor/verify-totp', { code: codeOf(secret, 0) })).status, 200)
  assert.equal((await visitor.session())?.twoFactor, true)
  return { secret, backupCodes: body.backupCodes }
}

/** The code of this period of 30 s, or of an earlier or later one (RFC 6238). */
export function codeOf(secret: string, periods: number): string {
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(Math.floor(Date.now() / 30_000) + periods))
  const digest = createHmac('sha1', decodeBase32(secret)).update(counter).digest()
  const at = digest[19] & 15
  return String((digest.readUInt32BE(at) & 0x7fffffff) % 1_000_000).padStart(6, '0')
}

/** A code that is invalid in this and the surrounding periods. */
export function wrongCode(secret: string): string {
  const near = new Set([-2, -1, 0, 1, 2].map((periods) => codeOf(secret, periods)))
  for (let n = 500_000; ; n += 1000) {
    const run = Array.from({ length: 10 }, (_, more) => String(n + more))
    if (!run.some((code) => near.has(code))) return String(n)
  }
}

function decodeBase32(text: string): Buffer {
  const bits = [...text.replace(/=+$/, '')]
    .map((character) => 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(character).toString(2).padStart(5, '0'))
    .join('')
  const bytes = bits.match(/.{8}/g) ?? []
  return Buffer.from(bytes.map((byte) => Number.parseInt(byte, 2)))
}
