import { randomUUID } from 'node:crypto'
import { open, readdir, readFile, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { crc32 } from 'node:zlib'
import { z } from 'zod'
import type { LogEvent } from '../lib/log-event.ts'
import { ensurePrivateFolder } from '../lib/private-file.ts'
import { errorMessage, errorText } from '../lib/text.ts'
import type { SentContent } from '../slot-index/content-transfer.ts'
import type { IndexContent } from '../slot-index/index-content.ts'
import type { PackedOfferings } from '../slot-index/offerings/pack-offerings.ts'
import { type RunState, runsIn } from '../slot-index/runs/levels.ts'
import { horizonText, shareHorizons } from '../slot-index/shared-horizons.ts'
import { offeringFileOf, offeringFileSizes, readOfferingFile } from './offering-file.ts'

/** Raise it with every change of the layout of runs, subsets, terms or offerings: other checkpoints are ignored. */
const FORMAT = 11
const MANIFEST = 'manifest.json'
const OWNER_ONLY = 0o600
/** More files of offerings are written as one. */
const OFFERING_FILES_MAX = 32

const file = z.object({ name: z.string(), bytes: z.number(), crc: z.number() })
const offeringFile = file.extend(offeringFileSizes.shape)
const state = z.object({ run: z.number(), from: z.number(), gone: z.number().optional() })
const manifestSchema = z.object({
  format: z.literal(FORMAT),
  epoch: z.number(),
  committed: z.object({ store: z.number(), revision: z.number(), atMs: z.number() }),
  homeRevisions: z.array(z.tuple([z.number(), z.number()])),
  lastDrop: z.number(),
  horizons: z.array(z.object({ publisher: z.string(), revision: z.number(), content: z.string() })),
  forms: z.array(
    z.object({
      startOffset: z.number(),
      endOffset: z.number(),
      startTail: z.string(),
      endTail: z.string(),
      capacity: z.string(),
      hasIdentifier: z.boolean(),
    }),
  ),
  prefixes: z.array(z.string()),
  offerings: z.array(offeringFile),
  memory: z.array(file),
  levels: z.array(z.object({ zero: z.array(state), one: z.array(state) })),
})
type Manifest = z.infer<typeof manifestSchema>
type File = z.infer<typeof file>
type OfferingFile = z.infer<typeof offeringFile>

/** A state of the index and what the follow thread knows beside it. */
export interface Checkpoint {
  readonly epoch: number
  readonly content: SentContent
  /** The ids of the offerings in the store, by number. */
  readonly offeringIds: readonly number[]
}

/** The part of a checkpoint that is known before the memory of the index is read. */
export interface CheckpointHead extends Pick<Checkpoint, 'epoch'>, Pick<SentContent, 'committed'> {
  /** Of the index in memory, without offerings. */
  readonly bytes: number
}

/**
 * The index in files, so that a node that starts need not build it again. It contains what `/v1` serves, and no secrets.
 *
 *     manifest.json     what follows, and the revision; replaced atomically
 *     <uuid>.bin        the memory of a run or of its deleted rows; or offerings
 *
 * Runs are immutable, so a further checkpoint writes only those that are new. What is damaged, foreign or of another format is ignored,
 * with one line in the log: then everything is loaded from the store.
 */
export class IndexCheckpoint {
  readonly #folder: string
  readonly #onEvent: (event: LogEvent) => void
  /** The files of the manifest on disk, by their memory. Weak: the index may have dropped it and could not be saved since. */
  #memory = new WeakMap<SharedArrayBuffer, File>()
  /** Those of offerings, by the first of them: a state that begins with the same offerings continues the one in the files. */
  #offerings = new WeakMap<SharedArrayBuffer, readonly OfferingFile[]>()
  /** The names of all these files. */
  #named: readonly string[] = []
  #hasFailed = false

  constructor(folder: string, onEvent: (event: LogEvent) => void) {
    this.#folder = folder
    this.#onEvent = onEvent
  }

  /** `refuse` returns the reason to ignore a checkpoint; undefined: it is read. Rejects if `refuse` does. */
  async load(refuse: (head: CheckpointHead) => Promise<string | undefined>): Promise<Checkpoint | undefined> {
    const ignore = (reason: string) => {
      this.#onEvent({ level: 'warn', message: 'checkpoint ignored', fields: { error: reason } })
      return undefined
    }
    const manifest = await this.#readManifest().catch((error: unknown) => ignore(errorMessage(error)))
    if (manifest === undefined) return undefined
    const { epoch, committed, memory } = manifest
    const reason = await refuse({ epoch, committed, bytes: memory.reduce((sum, each) => sum + each.bytes, 0) })
    if (reason !== undefined) return ignore(reason)
    return this.#read(manifest).catch((error: unknown) => ignore(errorMessage(error)))
  }

  /** Never rejects: resolves to false if the checkpoint cannot be written, which leaves the one before. */
  async save(
    content: IndexContent,
    { epoch, offeringIds }: Pick<Checkpoint, 'epoch' | 'offeringIds'>,
  ): Promise<boolean> {
    // While this writes, more offerings come.
    const packed = [...content.tables.packed]
    try {
      ensurePrivateFolder(this.#folder)
      await this.#forgetDeleted()
      const parts = runsIn(content.levels).flatMap(({ run, gone }) =>
        gone === undefined ? [run.memory] : [run.memory, gone.memory],
      )
      const memory = new Map<SharedArrayBuffer, File>()
      for (const part of parts) memory.set(part, this.#memory.get(part) ?? (await this.#write([new Uint8Array(part)])))
      const offerings = await this.#saveOfferings(packed, offeringIds)
      await this.#writeManifest(manifestOf(content, { epoch, memory, offerings }))
      this.#note([...memory], packed[0]?.memory, offerings)
      await this.#removeOthers()
      this.#hasFailed = false
      return true
    } catch (error) {
      const fields = { error: errorText(error) }
      if (!this.#hasFailed) this.#onEvent({ level: 'warn', message: 'checkpoint could not be written', fields })
      this.#hasFailed = true
      // Its unfinished files take space that may be missing.
      await this.#removeOthers().catch(() => undefined)
      return false
    }
  }

  /** The files of all offerings. */
  async #saveOfferings(packed: readonly PackedOfferings[], ids: readonly number[]): Promise<readonly OfferingFile[]> {
    const total = packed.reduce((sum, { count }) => sum + count, 0)
    const known = packed.length > 0 ? (this.#offerings.get(packed[0].memory) ?? []) : []
    const files = known.length < OFFERING_FILES_MAX ? known : []
    const saved = files.reduce((sum, { count }) => sum + count, 0)
    if (saved === total) return files
    const added: PackedOfferings[] = []
    for (let n = packed.length - 1, count = total; count > saved; n--) {
      added.unshift(packed[n])
      count -= packed[n].count
    }
    const { sizes, parts } = offeringFileOf(added, ids.slice(saved, total))
    return [...files, { ...(await this.#write(parts)), ...sizes }]
  }

  /** Notes the files of the manifest on disk. */
  #note(
    memory: readonly (readonly [SharedArrayBuffer, File])[],
    firstOfferings: SharedArrayBuffer | undefined,
    offerings: readonly OfferingFile[],
  ): void {
    this.#memory = new WeakMap(memory)
    this.#offerings = new WeakMap(firstOfferings && [[firstOfferings, offerings]])
    this.#named = [...memory.map(([, file]) => file), ...offerings].map(({ name }) => name)
  }

  async #write(parts: readonly Uint8Array[]): Promise<File> {
    const name = `${randomUUID()}.bin`
    const handle = await open(join(this.#folder, name), 'wx', OWNER_ONLY)
    let crc = 0
    let bytes = 0
    try {
      for (const view of parts) {
        for (let at = 0; at < view.length; ) at += (await handle.write(view, at)).bytesWritten
        crc = crc32(view, crc)
        bytes += view.length
      }
      await handle.sync()
    } finally {
      await handle.close()
    }
    return { name, bytes, crc }
  }

  /** The text behind its checksum. */
  async #writeManifest(manifest: Manifest): Promise<void> {
    const text = JSON.stringify(manifest)
    const path = join(this.#folder, `${randomUUID()}.json`)
    const handle = await open(path, 'wx', OWNER_ONLY)
    try {
      await handle.writeFile(`${crc32(text)}\n${text}`)
      await handle.sync()
    } finally {
      await handle.close()
    }
    await rename(path, join(this.#folder, MANIFEST))
  }

  /** The folder may be deleted at any time. */
  async #forgetDeleted(): Promise<void> {
    const present = new Set(await readdir(this.#folder))
    if (!this.#named.every((name) => present.has(name))) this.#note([], undefined, [])
  }

  async #removeOthers(): Promise<void> {
    const named = new Set([MANIFEST, ...this.#named])
    for (const name of await readdir(this.#folder))
      if (OWN_FILE.test(name) && !named.has(name)) await rm(join(this.#folder, name), { force: true })
  }

  async #readManifest(): Promise<Manifest | undefined> {
    const path = join(this.#folder, MANIFEST)
    if ((await stat(path).catch(() => undefined)) === undefined) return undefined
    const text = await readFile(path, 'utf8')
    const end = text.indexOf('\n')
    if (Number(text.slice(0, end)) !== crc32(text.slice(end + 1))) throw new Error(`${MANIFEST} is damaged`)
    const manifest = JSON.parse(text.slice(end + 1))
    if (manifest.format !== FORMAT)
      throw new Error(`its format is ${manifest.format}, and this version reads ${FORMAT}`)
    return manifestSchema.parse(manifest)
  }

  async #read(manifest: Manifest): Promise<Checkpoint> {
    const { epoch, committed, homeRevisions, lastDrop, horizons, forms, prefixes, levels } = manifest
    const memory = await Promise.all(manifest.memory.map((each) => this.#readFile(each)))
    const offerings = await Promise.all(manifest.offerings.map((each) => this.#readFile(each)))
    const saved = memory.map((part, place) => [part, manifest.memory[place]] as const)
    this.#note(saved, offerings[0], manifest.offerings)
    const packed = offerings.map((part, n) => readOfferingFile(part, manifest.offerings[n]))
    return {
      epoch,
      offeringIds: packed.flatMap(({ ids }) => [...ids]),
      content: {
        isWhole: true,
        packed,
        offerings: undefined,
        forms,
        prefixes,
        memory: new Map(memory.entries()),
        levels: levels.map(({ zero, one }) => ({ zero: zero.map(sentState), one: one.map(sentState) })),
        homeRevisions: new Map(homeRevisions),
        lastDrop,
        horizons: new Map(horizons.map((each) => [each.publisher, shareHorizons(each)])),
        committed,
        missing: 0,
      },
    }
  }

  async #readFile({ name, bytes, crc }: File): Promise<SharedArrayBuffer> {
    const memory = new SharedArrayBuffer(bytes)
    const view = new Uint8Array(memory)
    const handle = await open(join(this.#folder, name))
    try {
      for (let at = 0; at < bytes; ) {
        const { bytesRead } = await handle.read(view, at, bytes - at, at)
        if (bytesRead === 0) throw new Error(`${name} is truncated`)
        at += bytesRead
      }
    } finally {
      await handle.close()
    }
    if (crc32(view) !== crc) throw new Error(`${name} is damaged`)
    return memory
  }
}

interface SavedFiles extends Pick<Manifest, 'epoch'> {
  readonly memory: ReadonlyMap<SharedArrayBuffer, File>
  readonly offerings: readonly OfferingFile[]
}

function manifestOf(content: IndexContent, { epoch, memory, offerings }: SavedFiles): Manifest {
  const places = new Map([...memory.keys()].map((part, place) => [part, place]))
  const placeOf = (part: SharedArrayBuffer) => places.get(part) as number
  const stateOf = ({ run, from, gone }: RunState) => ({
    run: placeOf(run.memory),
    from,
    ...(gone !== undefined && { gone: placeOf(gone.memory) }),
  })
  return {
    format: FORMAT,
    epoch,
    committed: content.committed,
    homeRevisions: [...content.homeRevisions],
    lastDrop: content.lastDrop,
    horizons: [...content.horizons].map(([publisher, shared]) => {
      return { publisher, revision: shared.revision, content: horizonText(shared) }
    }),
    forms: [...content.tables.forms],
    prefixes: [...content.tables.prefixes],
    offerings: [...offerings],
    memory: [...memory.values()],
    levels: content.levels.map(({ zero, one }) => ({ zero: zero.map(stateOf), one: one.map(stateOf) })),
  }
}

const OWN_FILE = /^[0-9a-f-]{36}\.(bin|json)$/

function sentState({ run, from, gone }: z.infer<typeof state>) {
  return { run, from, gone }
}
