/** Formats that begin with fixed bytes. `ole`: Excel workbooks before 2007. */
export type SignedFormat = 'gzip' | 'zip' | 'utf-16' | 'ole' | 'pdf'

/** Whether the content is of this format, by its first bytes. */
export function hasSignature(content: Uint8Array, format: SignedFormat): boolean {
  return SIGNATURES[format].some((signature) => signature.every((byte, at) => content[at] === byte))
}

const SIGNATURES: Readonly<Record<SignedFormat, readonly (readonly number[])[]>> = {
  // RFC 1952, 2.3.1.
  gzip: [[0x1f, 0x8b]],
  // APPNOTE 6.3, 4.3.7 and 4.3.16: an archive with files, and one without.
  zip: [
    [0x50, 0x4b, 0x03, 0x04],
    [0x50, 0x4b, 0x05, 0x06],
  ],
  // Byte order marks, and a brace without one, as in RFC 4627, 3.
  'utf-16': [
    [0xff, 0xfe],
    [0xfe, 0xff],
    [0x7b, 0x00],
    [0x00, 0x7b],
  ],
  // MS-CFB, 2.2.
  ole: [[0xd0, 0xcf, 0x11, 0xe0]],
  pdf: [[0x25, 0x50, 0x44, 0x46, 0x2d]],
}
