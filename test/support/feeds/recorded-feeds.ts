import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from '../source-files.ts'

/** Publications of real publishers and HL7's examples. They are not part of the repository: their tests skip without them. */
const RECORDED = join(ROOT, '../shared/feeds')

/** Hand-written feeds with the deviations of the recorded ones and invented names. */
const FIXTURES = join(ROOT, 'test/fixtures/feeds')

/** A folder with a publication, and why its test must be skipped if it is missing. */
export interface FeedFolder {
  readonly name: string
  readonly folder: string
  readonly skip: string | false
}

export function recordedFeed(name: string): FeedFolder {
  const folder = join(RECORDED, name)
  return { name, folder, skip: existsSync(folder) ? false : `the recorded feed ${name} is not here` }
}

export function fixtureFeed(name: string): FeedFolder {
  return { name, folder: join(FIXTURES, name), skip: false }
}

/** The folders of all feeds with a manifest, recorded and hand-written. */
export function feedsWithManifest(): FeedFolder[] {
  return [
    ...['rite-aid-nj-2023-03-24', 'prepmod-wa-2021-09-01'].map(recordedFeed),
    ...['harbor-pharmacy-nj', 'county-clinics-wa'].map(fixtureFeed),
  ]
}

/** The paths of the files of all feeds that are here, by their ending. */
export function feedFiles(ending: string): string[] {
  return [RECORDED, FIXTURES]
    .filter((folder) => existsSync(folder))
    .flatMap((folder) =>
      (readdirSync(folder, { recursive: true }) as string[])
        .filter((path) => path.endsWith(ending))
        .sort()
        .map((path) => join(folder, path)),
    )
}
