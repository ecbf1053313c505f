import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto'

/** Flags of the authenticator data (WebAuthn Level 3, 6.1). */
const FLAGS = { userPresent: 0x01, userVerified: 0x04, attested: 0x40 }

/** A FIDO2 security key in software, which checks a PIN or only a touch. */
export class SecurityKey {
  readonly #origin: string
  readonly #id = randomBytes(16)
  readonly #pair = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  /** Whether it checks a PIN. */
  verifies = true

  constructor(origin: string) {
    this.#origin = origin
  }

  /** The response to the options of a registration. */
  register({ challenge }: { challenge: string }): object {
    const { x = '', y = '' } = this.#pair.publicKey.export({ format: 'jwk' })
    const coordinate = (label: number, text: string) => [Buffer.from([label, 0x58, 32]), Buffer.from(text, 'base64url')]
    // A COSE key of type EC2 for ES256 on P-256 (RFC 9053).
    const publicKey = Buffer.concat([
      Buffer.from([0xa5, 1, 2, 3, 0x26, 0x20, 1]),
      ...coordinate(0x21, x),
      ...coordinate(0x22, y),
    ])
    const attested = Buffer.concat([Buffer.alloc(16), Buffer.from([0, this.#id.length]), this.#id, publicKey])
    const data = Buffer.concat([this.#dataWith(FLAGS.attested), attested])
    const attestation = Buffer.concat([
      Buffer.from([0xa3]),
      ...['fmt', 'none', 'attStmt'].map(cborText),
      Buffer.from([0xa0]),
      cborText('authData'),
      Buffer.from([0x58, data.length]),
      data,
    ])
    const clientDataJSON = this.#clientData('webauthn.create', challenge).toString('base64url')
    return this.#credential({
      clientDataJSON,
      attestationObject: attestation.toString('base64url'),
      transports: ['usb'],
    })
  }

  /** The response to the options of a sign-in. */
  signIn({ challenge }: { challenge: string }): object {
    const clientData = this.#clientData('webauthn.get', challenge)
    const data = this.#dataWith(0)
    const signed = Buffer.concat([data, createHash('sha256').update(clientData).digest()])
    return this.#credential({
      clientDataJSON: clientData.toString('base64url'),
      authenticatorData: data.toString('base64url'),
      signature: sign('sha256', signed, this.#pair.privateKey).toString('base64url'),
    })
  }

  #credential(response: object): object {
    const id = this.#id.toString('base64url')
    return { id, rawId: id, type: 'public-key', clientExtensionResults: {}, response }
  }

  #clientData(type: string, challenge: string): Buffer {
    return Buffer.from(JSON.stringify({ type, challenge, origin: this.#origin, crossOrigin: false }))
  }

  #dataWith(more: number): Buffer {
    const flags = FLAGS.userPresent | (this.verifies ? FLAGS.userVerified : 0) | more
    const { hostname } = new URL(this.#origin)
    return Buffer.concat([createHash('sha256').update(hostname).digest(), Buffer.from([flags, 0, 0, 0, 0])])
  }
}

function cborText(text: string): Buffer {
  return Buffer.concat([Buffer.from([0x60 + text.length]), Buffer.from(text)])
}
