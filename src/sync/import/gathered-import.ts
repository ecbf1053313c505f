import { type Connector, FeedFailure, type SnapshotDraft } from '../../feeds/connector.ts'
import { type FilesOptions, files } from '../../feeds/files/connector.ts'
import { FileNotes } from '../../feeds/files/file-reading.ts'
import type { ImportReport } from '../../shared/contract/imports.ts'
import { RejectionSample } from '../rejection-sample.ts'
import { SlotSamples } from './slot-samples.ts'

/** What is gathered beside the slots while a file is read once. */
export class GatheredImport {
  /** Reads the file. Throws `FeedFailure` also where none of what it holds can be read. */
  readonly connector: Connector
  readonly #notes = new FileNotes()
  readonly #samples = new SlotSamples()
  readonly #rejections = new RejectionSample()
  /** Something could be read, be it never served. */
  #isOfUse = false

  constructor(options: FilesOptions) {
    const connector = files({ ...options, notes: this.#notes })
    this.connector = {
      read: async (source, draft, signal) => {
        const publication = await connector.read(source, this.#watch(draft), signal)
        if (this.allRejected !== undefined) throw useless(options.file.name, this.allRejected)
        return publication
      },
    }
  }

  /** All that the file holds, if none of it could be read; else undefined. */
  get allRejected(): RejectionSample | undefined {
    return !this.#isOfUse && this.#rejections.count > 0 ? this.#rejections : undefined
  }

  /** `slots`: how many there were; undefined if the file could not be read. */
  said(slots: number | undefined): Pick<ImportReport, 'format' | 'resources' | 'notes' | 'samples'> {
    const { format, resources, sentences } = this.#notes
    const notes = slots === 0 ? ['It holds no slot at all.', ...sentences] : sentences
    return { ...(format && { format }), resources, notes, samples: this.#samples.shown }
  }

  #watch(draft: SnapshotDraft): SnapshotDraft {
    const watched = this.#samples.watch(draft)
    return {
      ...watched,
      put: (slot, origin) => {
        this.#isOfUse = true
        watched.put(slot, origin)
      },
      withhold: () => {
        this.#isOfUse = true
        watched.withhold()
      },
      reject: (rejected) => {
        this.#rejections.add(rejected)
        watched.reject(rejected)
      },
    }
  }
}

/** To believe that such a publisher offers nothing would end all that callers see of them, for a zone that was not named. */
function useless(file: string, { count, kept }: RejectionSample): FeedFailure {
  const [first] = kept.map(({ line, reason }) => `; number ${line}: ${reason}`)
  return new FeedFailure(
    `Cannot import ${file}: at least one slot in it must be readable: got "none of ${count}"${first ?? ''}`,
  )
}
