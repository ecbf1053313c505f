import { createReadStream, open as openFile, read } from 'node:fs'
import { type FileHandle, mkdtemp, open, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { UploadedFile } from '../../feeds/files/uploaded-file.ts'

/** There is more than may be kept. */
export class SpoolFull extends Error {
  override readonly name = 'SpoolFull'
}

/**
 * An open file, to be read from its beginning as often as needed; to be closed.
 *
 * One that was spooled has no name any more: whatever ends the process, the system takes it back.
 */
export class SpooledFile implements AsyncDisposable {
  readonly #handle: FileHandle

  constructor(handle: FileHandle) {
    this.#handle = handle
  }

  /** Keeps what comes in a private temporary file, at most `bytesMax` of it. Throws `SpoolFull`; nothing is left behind then. */
  static async spool(content: AsyncIterable<Uint8Array>, bytesMax: number): Promise<SpooledFile> {
    const handle = await openNameless()
    try {
      let bytes = 0
      for await (const piece of content) {
        bytes += piece.length
        if (bytes > bytesMax)
          throw new SpoolFull(`Cannot keep the file: it must be at most ${bytesMax} bytes: got "more"`)
        await handle.writeFile(piece)
      }
      return new SpooledFile(handle)
    } catch (fault) {
      await handle.close()
      throw fault
    }
  }

  /** What other threads of this process read it by, as long as it is open: see `fileOf()`. */
  get descriptor(): number {
    return this.#handle.fd
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#handle.close()
  }
}

/** A file by its open descriptor, which stays open. */
export function fileOf(descriptor: number, name: string): UploadedFile {
  return { name, open: () => createReadStream('', { fd: descriptor, start: 0, fs: LEFT_OPEN }) }
}

/** A stream that is given up half-way closes what it reads, even if it was told not to. */
const LEFT_OPEN = {
  open: openFile,
  read,
  close: (_descriptor: number, done: (fault: null) => void) => done(null),
}

async function openNameless(): Promise<FileHandle> {
  const folder = await mkdtemp(join(tmpdir(), 'scheduling-slots-'))
  try {
    return await open(join(folder, 'spooled'), 'wx+', 0o600)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
