import { copyFileSync, mkdirSync, readFileSync } from 'node:fs'
import { join, posix } from 'node:path'
import { escapeHtml } from '../../src/lib/text.ts'
import type { DocsPage } from './docs-pages.ts'
import { contentHash, ROOT } from './fingerprint.ts'

/** A picture of the documentation in both color schemes. */
export interface Picture {
  /** Paths on the site, named by hash. */
  readonly light: string
  readonly dark: string
  /** In pixels, of both. */
  readonly width: number
  readonly height: number
}

/** Where the extended header has width and height, each less one, in 24 bits (RFC 9649, 2.7). */
const WIDTH_AT = 24
const HEIGHT_AT = 27

/**
 * Copies the picture that a page names into `<folder>/assets`. Pages name the light one, `<name>-light.webp`, which
 * GitHub shows; the dark one of the same size is beside it. Throws if either is missing.
 */
export function copyPicture(folder: string, from: DocsPage, href: string): Picture {
  const path = posix.join(posix.dirname(from.source), href)
  if (!path.endsWith('-light.webp')) throw new Error(`${from.source}: a picture must be a -light.webp: got ${href}`)
  const light = copyFile(folder, path)
  const dark = copyFile(folder, path.replace('-light.webp', '-dark.webp'))
  if (light.width !== dark.width || light.height !== dark.height)
    throw new Error(`${from.source}: both schemes of ${href} must have one size`)
  return { light: light.path, dark: dark.path, width: light.width, height: light.height }
}

/**
 * Both schemes with their dimensions, so that nothing moves; the browser loads only the one that it shows. Each leads to its file, which
 * can be enlarged on a phone.
 */
export function pictureHtml({ light, dark, width, height }: Picture, alt: string): string {
  const image = (scheme: string, src: string) =>
    `<a class="picture picture-${scheme}" href="${src}"><img src="${src}" alt="${escapeHtml(alt)}" width="${width}" height="${height}" loading="lazy"></a>`
  return image('light', light) + image('dark', dark)
}

/** Width and height of a WebP file with the extended header, as Chromium writes it. */
export function webpSize(bytes: Buffer): { width: number; height: number } {
  if (bytes.toString('latin1', 8, 16) !== 'WEBPVP8X')
    throw new Error('Cannot read the size: the file must be extended WebP')
  return { width: bytes.readUIntLE(WIDTH_AT, 3) + 1, height: bytes.readUIntLE(HEIGHT_AT, 3) + 1 }
}

function copyFile(folder: string, path: string): { path: string; width: number; height: number } {
  const bytes = readFileSync(join(ROOT, path))
  const target = `assets/${posix.basename(path, '.webp')}-${contentHash(bytes)}.webp`
  mkdirSync(join(folder, 'assets'), { recursive: true })
  copyFileSync(join(ROOT, path), join(folder, target))
  return { path: `/${target}`, ...webpSize(bytes) }
}
