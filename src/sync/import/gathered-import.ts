import { type Connector, FeedFailure, overrideDraft, type SnapshotDraft, type Source } from '../../feeds/connector.ts'
import { type FilesOptions, files } from '../../feeds/files/connector.ts'
import { FileNotes } from '../../feeds/files/file-reading.ts'
import { rejectedRowsCsv } from '../../feeds/files/rejected-rows.ts'
import { IdSet } from '../../feeds/id-set.ts'
import { RejectionSample } from '../../feeds/rejections.ts'
import type { ImportReport } from '../../shared/contract/imports.ts'
import { statesOf } from '../../slot/filter-values.ts'
import { encodeOffering, encodeSlot, type Slot } from '../../slot/slot.ts'
import { isTestData } from '../../slot/test-data.ts'

const SAMPLES_MAX = 3

/** Collects the notes, samples and rejections of a file while it is read once. */
export class GatheredImport {
  /** Reads the file. Throws `FeedFailure` also if all slots in it are rejected. */
  readonly connector: Connector
  readonly #options: FilesOptions
  readonly #notes = new FileNotes()
  /** The first slots of the file. */
  readonly #samples: Slot[] = []
  readonly #rejections = new RejectionSample()
  /** Slots without a state, each once. */
  #withoutState = 0
  readonly #ids = new IdSet()
  /** At least one slot was readable, even if it is withheld. */
  #hasReadable = false

  constructor(options: FilesOptions) {
    this.#options = options
    const connector = files({ ...options, notes: this.#notes })
    this.connector = {
      read: async (source, draft, signal) => {
        const publication = await connector.read(source, this.#watch(draft, source.options), signal)
        if (this.allRejected !== undefined) throw nothingReadable(options.file.name, this.allRejected)
        return publication
      },
    }
  }

  /** The rejections, if all slots in the file were rejected; else undefined. */
  get allRejected(): RejectionSample | undefined {
    return !this.#hasReadable && this.#rejections.count > 0 ? this.#rejections : undefined
  }

  /** `slots`: the number of slots; undefined if the file could not be read. */
  report(slots: number | undefined): Pick<ImportReport, 'format' | 'resources' | 'withoutState' | 'notes' | 'samples'> {
    const { format, resources, sentences } = this.#notes
    const withoutState = slots === undefined ? 0 : this.#withoutState
    const notes = [...(slots === 0 ? ['It has no slots.'] : []), ...stateNote(withoutState, slots), ...sentences]
    const samples = this.#samples.map((slot) => JSON.parse(encodeSlot(slot) + encodeOffering(slot.offering)))
    return { ...(format && { format }), resources, withoutState, notes, samples }
  }

  /** The rows of these rejections as CSV. */
  async rejectedRows(
    rejections: ImportReport['rejections'],
    signal: AbortSignal,
  ): Promise<Pick<ImportReport, 'rejectedCsv'>> {
    if (rejections.length === 0) return {}
    const { dialect } = this.#notes
    return { rejectedCsv: await rejectedRowsCsv(rejections, { ...this.#options, dialect, signal }) }
  }

  #watch(draft: SnapshotDraft, { serveTestData }: Source['options']): SnapshotDraft {
    return overrideDraft(draft, {
      put: (slot, origin) => {
        this.#hasReadable = true
        if (serveTestData || !isTestData(slot.offering)) this.#noteServed(slot)
        draft.put(slot, origin)
      },
      withhold: () => {
        this.#hasReadable = true
        draft.withhold()
      },
      reject: (rejected) => {
        this.#rejections.add(rejected)
        draft.reject(rejected)
      },
    })
  }

  #noteServed(slot: Slot): void {
    if (statesOf(slot.offering).size === 0 && this.#ids.add(slot.id)) this.#withoutState++
    if (this.#samples.length < SAMPLES_MAX && this.#samples.every(({ id }) => id !== slot.id)) this.#samples.push(slot)
  }
}

function stateNote(withoutState: number, slots: number | undefined): string[] {
  if (withoutState === 0) return []
  const found = withoutState === 1 ? '1 slot is' : `${withoutState} slots are`
  return [`${found} found by no state (of ${slots}): neither location.state nor serviceStates is given.`]
}

/** Importing such a file would delete all slots of the source, for instance because of a missing time zone. */
function nothingReadable(file: string, { count, kept }: RejectionSample): FeedFailure {
  const [first] = kept.map(({ line, reason }) => `; number ${line}: ${reason}`)
  return new FeedFailure(`Cannot import ${file}: none of its ${count} slots could be read${first ?? ''}`)
}
