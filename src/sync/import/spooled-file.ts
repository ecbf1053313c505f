import { createReadStream, open as openFile, read } from 'node:fs'
import { type FileHandle, mkdtemp, open, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { UploadedFile } from '../../feeds/files/uploaded-file.ts'

/** The file exceeds the size limit. */
export class SpoolFull extends Error {
  override readonly name = 'SpoolFull'
}

/**
 * An open file that can be read from its beginning any number of times. Must be closed.
 *
 * A spooled file is already unlinked, so the operating system deletes it however the process ends.
 */
export class SpooledFile implements AsyncDisposable {
  readonly #handle: FileHandle

  constructor(handle: FileHandle) {
    this.#handle = handle
  }

  /** Writes the content to a private temporary file. Throws `SpoolFull`, without leaving a file, above `bytesMax`. */
  static async spool(content: AsyncIterable<Uint8Array>, bytesMax: number): Promise<SpooledFile> {
    const handle = await openNameless()
    try {
      let bytes = 0
      for await (const piece of content) {
        bytes += piece.length
        if (bytes > bytesMax) throw new SpoolFull(`Cannot store the file: it is larger than ${bytesMax} bytes`)
        await handle.writeFile(piece)
      }
      return new SpooledFile(handle)
    } catch (error) {
      await handle.close()
      throw error
    }
  }

  /** Other threads of this process can read the open file by this descriptor: see `fileOf()`. */
  get descriptor(): number {
    return this.#handle.fd
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#handle.close()
  }
}

/** A file read by its descriptor, which stays open. */
export function fileOf(descriptor: number, name: string): UploadedFile {
  return { name, open: () => createReadStream('', { fd: descriptor, start: 0, fs: LEFT_OPEN }) }
}

/** A destroyed stream closes its descriptor even with `autoClose: false`. */
const LEFT_OPEN = {
  open: openFile,
  read,
  close: (_descriptor: number, done: (error: null) => void) => done(null),
}

async function openNameless(): Promise<FileHandle> {
  const folder = await mkdtemp(join(tmpdir(), 'scheduling-slots-'))
  try {
    return await open(join(folder, 'spooled'), 'wx+', 0o600)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
