import { randomUUID } from 'node:crypto'
import { mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { crc32 } from 'node:zlib'
import { z } from 'zod'
import type { LogEvent } from '../lib/log-event.ts'
import { errorText } from '../lib/text.ts'
import type { SentContent } from '../slot-index/content-transfer.ts'
import type { IndexContent } from '../slot-index/index-content.ts'
import type { PackedOfferings } from '../slot-index/offerings/pack-offerings.ts'
import { type RunState, runsIn } from '../slot-index/runs/levels.ts'
import { horizonText, shareHorizons } from '../slot-index/shared-horizons.ts'
import { offeringFileOf, offeringFileSizes, readOfferingFile } from './offering-file.ts'

/** Raise it with every change of the layout of runs, subsets, terms or offerings: other checkpoints are ignored. */
const FORMAT = 10
const MANIFEST = 'manifest.json'
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
  /** The files that the manifest names, by what they contain. */
  #memory = new Map<SharedArrayBuffer, File>()
  #offerings: OfferingFile[] = []
  #hasFailed = false
  /** The files of the manifest on disk. */
  #named: readonly string[] = []
  /** Tells whether a state continues the one whose offerings are in the files. */
  #firstOfferings: SharedArrayBuffer | undefined

  constructor(folder: string, onEvent: (event: LogEvent) => void) {
    this.#folder = folder
    this.#onEvent = onEvent
  }

  /** `hasRoom`: whether so many bytes fit into memory. */
  async load(hasRoom: (bytes: number) => Promise<boolean>): Promise<Checkpoint | undefined> {
    try {
      const manifest = await this.#readManifest()
      if (manifest === undefined) return undefined
      const bytes = manifest.memory.reduce((sum, each) => sum + each.bytes, 0)
      if (!(await hasRoom(bytes))) throw new Error('there is no memory for it')
      return await this.#read(manifest)
    } catch (error) {
      this.#onEvent({ level: 'warn', message: 'checkpoint ignored', fields: { error: errorText(error) } })
      return undefined
    }
  }

  /** Never rejects: resolves to false if the checkpoint cannot be written, which leaves the one before. */
  async save(
    content: IndexContent,
    { epoch, offeringIds }: Pick<Checkpoint, 'epoch' | 'offeringIds'>,
  ): Promise<boolean> {
    // While this writes, more offerings come.
    const packed = [...content.tables.packed]
    try {
      await mkdir(this.#folder, { recursive: true })
      if (this.#firstOfferings !== packed[0]?.memory) this.#offerings = []
      this.#firstOfferings = packed[0]?.memory
      const parts = runsIn(content.levels).flatMap(({ run, gone }) =>
        gone === undefined ? [run.memory] : [run.memory, gone.memory],
      )
      for (const part of parts)
        if (!this.#memory.has(part)) this.#memory.set(part, await this.#write([new Uint8Array(part)]))
      await this.#saveOfferings(packed, offeringIds)
      this.#memory = new Map(parts.map((part) => [part, this.#memory.get(part) as File]))
      await this.#writeManifest(this.#manifestOf(content, epoch, [...this.#memory.keys()]))
      this.#named = [...this.#memory.values(), ...this.#offerings].map(({ name }) => name)
      await this.#removeOthers()
      this.#hasFailed = false
      return true
    } catch (error) {
      const fields = { error: errorText(error) }
      if (!this.#hasFailed) this.#onEvent({ level: 'warn', message: 'checkpoint could not be written', fields })
      this.#hasFailed = true
      // Its unfinished files take space that may be missing.
      await this.#removeOthers().catch(() => undefined)
      this.#forgetRemoved()
      return false
    }
  }

  async #saveOfferings(packed: readonly PackedOfferings[], ids: readonly number[]): Promise<void> {
    const total = packed.reduce((sum, { count }) => sum + count, 0)
    if (this.#offerings.length >= OFFERING_FILES_MAX) this.#offerings = []
    const saved = this.#offerings.reduce((sum, { count }) => sum + count, 0)
    if (saved === total) return
    const added: PackedOfferings[] = []
    for (let n = packed.length - 1, count = total; count > saved; n--) {
      added.unshift(packed[n])
      count -= packed[n].count
    }
    const { sizes, parts } = offeringFileOf(added, ids.slice(saved, total))
    this.#offerings = [...this.#offerings, { ...(await this.#write(parts)), ...sizes }]
  }

  async #write(parts: readonly Uint8Array[]): Promise<File> {
    const name = `${randomUUID()}.bin`
    const handle = await open(join(this.#folder, name), 'wx')
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

  #manifestOf(content: IndexContent, epoch: number, memory: readonly SharedArrayBuffer[]): Manifest {
    const places = new Map(memory.map((part, place) => [part, place]))
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
      offerings: this.#offerings,
      memory: [...this.#memory.values()],
      levels: content.levels.map(({ zero, one }) => ({ zero: zero.map(stateOf), one: one.map(stateOf) })),
    }
  }

  /** The text behind its checksum. */
  async #writeManifest(manifest: Manifest): Promise<void> {
    const text = JSON.stringify(manifest)
    const path = join(this.#folder, `${randomUUID()}.json`)
    const handle = await open(path, 'wx')
    try {
      await handle.writeFile(`${crc32(text)}\n${text}`)
      await handle.sync()
    } finally {
      await handle.close()
    }
    await rename(path, join(this.#folder, MANIFEST))
  }

  async #removeOthers(): Promise<void> {
    const named = new Set([MANIFEST, ...this.#named])
    for (const name of await readdir(this.#folder))
      if (OWN_FILE.test(name) && !named.has(name)) await rm(join(this.#folder, name), { force: true })
  }

  /** Files that are not in the manifest on disk have to be written again. */
  #forgetRemoved(): void {
    const named = new Set(this.#named)
    this.#memory = new Map([...this.#memory].filter(([, { name }]) => named.has(name)))
    if (this.#offerings.some(({ name }) => !named.has(name))) this.#offerings = []
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
    this.#memory = new Map(memory.map((part, place) => [part, manifest.memory[place]]))
    this.#offerings = manifest.offerings
    this.#firstOfferings = offerings[0]
    this.#named = [...manifest.memory, ...manifest.offerings].map(({ name }) => name)
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

const OWN_FILE = /^[0-9a-f-]{36}\.(bin|json)$/

function sentState({ run, from, gone }: z.infer<typeof state>) {
  return { run, from, gone }
}
